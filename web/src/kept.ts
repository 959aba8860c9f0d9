/** What this browser keeps for whoever uses it; where it may keep nothing, the app works all the same. */
const PREFIX = "puntobanco.";

export function kept(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

export function keep(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, value);
  } catch {
    // Private windows keep nothing.
  }
}
