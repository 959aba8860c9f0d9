export default function Odds() {
  return <main id="content" class="page" />;
}
