/** Icons drawn with one line of one weight; each is a picture beside words, so that it has no name of its own. */
const PATHS = {
  soundOff: "M4 10v4h3l5 4V6L7 10zM16 9l5 6M21 9l-5 6",
  soundOn: "M4 10v4h3l5 4V6L7 10zM16 9.500a4 4 0 0 1 0 5M18.500 7a8 8 0 0 1 0 10",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.500 1.500M17.500 17.500L19 19M19 5l-1.500 1.500M6.500 17.500L5 19",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c.7-4.500 3.700-7 8-7s7.300 2.500 8 7",
  people: "M9 11.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM2.500 20c.6-4 3-6 6.500-6s5.900 2 6.500 6M16 5a3.500 3.500 0 0 1 0 6.500M18.500 14.500c1.700 1 2.700 2.800 3 5.500",
  back: "M15 5l-7 7 7 7",
  next: "M9 5l7 7-7 7",
  down: "M5 9l7 7 7-7",
  book: "M5 4h10a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h10",
  eye: "M2 12c3-5 6-7 10-7s7 2 10 7c-3 5-6 7-10 7s-7-2-10-7zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  flag: "M5 21V4h12l-2.500 4L17 12H5",
  menu: "M5 7h14M5 12h14M5 17h14",
  close: "M6 6l12 12M18 6L6 18",
  undo: "M9 7L4 12l5 5M4 12h10a6 6 0 0 1 6 6",
  again: "M17 3l4 4-4 4M3 11V9a2 2 0 0 1 2-2h16M7 21l-4-4 4-4M21 13v2a2 2 0 0 1-2 2H3",
  double: "M4 8h14M14 4l4 4-4 4M20 16H6M10 12l-4 4 4 4",
  shield: "M12 3l8 3v6c0 4.500-3.200 7.800-8 9-4.800-1.200-8-4.500-8-9V6zM8.500 12l2.500 2.500 4.500-5",
  play: "M7 5l12 7-12 7z",
  pause: "M8 5v14M16 5v14",
  link: "M10 14a4 4 0 0 0 5.700 0l3-3a4 4 0 0 0-5.700-5.700l-1.500 1.500M14 10a4 4 0 0 0-5.700 0l-3 3a4 4 0 0 0 5.700 5.700l1.500-1.500",
  cup: "M7 4h10v6a5 5 0 0 1-10 0zM7 6H3v1a4 4 0 0 0 4 4M17 6h4v1a4 4 0 0 1-4 4M12 15v4M8 20h8",
  chart: "M4 4v16h16M7 15l4-5 3 3 5-7",
  cards: "M8 7h10a1.500 1.500 0 0 1 1.500 1.500V20A1.500 1.500 0 0 1 18 21.500H8A1.500 1.500 0 0 1 6.500 20V8.500A1.500 1.500 0 0 1 8 7zM15.500 7V4A1.500 1.500 0 0 0 14 2.500H5A1.500 1.500 0 0 0 3.500 4v12A1.500 1.500 0 0 0 5 17.500h1.500",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  check: "M4 12.500l5 5L20 6.500",
  scan: "M4 8V5a1 1 0 0 1 1-1h3M16 4h3a1 1 0 0 1 1 1v3M20 16v3a1 1 0 0 1-1 1h-3M8 20H5a1 1 0 0 1-1-1v-3M4 12h16",
  search: "M10.500 17a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13zM15.500 15.500L21 21",
  print: "M7 8V3h10v5M7 17H4V9.500A1.500 1.500 0 0 1 5.500 8h13A1.500 1.500 0 0 1 20 9.500V17h-3M7 14h10v7H7z",
  save: "M12 4v11M7 10l5 5 5-5M4 20h16",
  clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.500 2",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 22 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
