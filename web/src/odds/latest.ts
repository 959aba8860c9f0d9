/** Questions that come faster than answers: one is under way, and of those that wait only the last is asked. */
export class Latest<Question, Answer> {
  private isAsking = false;
  private next: { question: Question } | null = null;
  private isOver = false;

  constructor(
    private readonly ask: (question: Question) => Promise<Answer>,
    private readonly told: (answer: Answer, question: Question) => void,
    private readonly failed: (error: unknown, question: Question) => void,
  ) {}

  want(question: Question): void {
    this.next = { question };
    if (!this.isAsking) void this.run();
  }

  stop(): void {
    this.isOver = true;
    this.next = null;
  }

  private async run(): Promise<void> {
    this.isAsking = true;
    try {
      while (this.next) {
        const { question } = this.next;
        this.next = null;
        try {
          const answer = await this.ask(question);
          if (!this.isOver) this.told(answer, question);
        } catch (error) {
          if (!this.isOver) this.failed(error, question);
        }
      }
    } finally {
      this.isAsking = false;
    }
  }
}
