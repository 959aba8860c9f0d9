export default function Dealer() {
  return <main id="content" class="page" />;
}
