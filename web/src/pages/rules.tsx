export default function Rules() {
  return <main id="content" class="page" />;
}
