export default function Round() {
  return <main id="content" class="page" />;
}
