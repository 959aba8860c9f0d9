export default function Table() {
  return <main id="content" class="page" />;
}
