export default function Lobby() {
  return <main id="content" class="page" />;
}
