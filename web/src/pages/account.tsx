export default function Account() {
  return <main id="content" class="page" />;
}
