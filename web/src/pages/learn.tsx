export default function Learn() {
  return <main id="content" class="page" />;
}
