export default function Cards() {
  return <main id="content" class="page" />;
}
