export default function Pit() {
  return <main id="content" class="page" />;
}
