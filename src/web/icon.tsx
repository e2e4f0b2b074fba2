// Icons of the navigation: lines of one width on a grid of 24, drawn for this service. Each icon is one path, so all of them add less than
// 2 kB to a page and load nothing.

const paths = {
  agent: 'M5 9h14v10.5H5zM12 9V5.5M12 4h.01M9.2 13.2h.01M14.8 13.2h.01M9.5 16.3h5M2.5 12.5V16M21.5 12.5V16',
  back: 'M10 6l-6 6 6 6M4 12h16',
  bell: 'M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 2h-15zM10 21.5h4',
  book: 'M6 3.5h13v17H6zM3.5 8H6M3.5 12H6M3.5 16H6M12.5 11.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM9 16.5a3.5 3.5 0 0 1 7 0',
  card: 'M3 5.5h18v13H3zM3 10h18M6.5 15h4',
  chart: 'M4 4v16h16M8.5 16.5v-4M12.5 16.5V8M16.5 16.5v-6',
  chip: 'M7 7h10v10H7zM10.5 10.5h3v3h-3zM10 3.5V7M14 3.5V7M10 17v3.5M14 17v3.5M3.5 10H7M3.5 14H7M17 10h3.5M17 14h3.5',
  code: 'M8.5 7 3.5 12l5 5M15.5 7l5 5-5 5M13.5 4.5l-3 15',
  download: 'M12 4v11M7.5 10.5 12 15l4.5-4.5M4.5 16v4h15v-4',
  enter: 'M13 4h6.5v16H13M4 12h10M10.5 8.5 14 12l-3.5 3.5',
  eye: 'M2.5 12S6 5.5 12 5.5s9.5 6.5 9.5 6.5-3.5 6.5-9.5 6.5S2.5 12 2.5 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  file: 'M6 3h8.5L19 7.5V21H6zM14 3v5h5M9 12.5h7M9 16.5h7',
  grid: 'M4 4h6.5v6.5H4zM13.5 4H20v6.5h-6.5zM4 13.5h6.5V20H4zM13.5 13.5H20V20h-6.5z',
  home: 'M4 10.5 12 4l8 6.5V20h-5.5v-5.5h-5V20H4z',
  key: 'M8 20a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM11.2 12.3 20 3.5M15.5 8l3.5 3.5',
  list: 'M8.5 6H20M8.5 12H20M8.5 18H20M4 6h.01M4 12h.01M4 18h.01',
  lock: 'M5.5 11h13v9.5h-13zM8 11V7.5a4 4 0 0 1 8 0V11M12 14.5v2.5',
  mail: 'M3 5.5h18v13H3zM3.5 6l8.5 7 8.5-7',
  menu: 'M4 6.5h16M4 12h16M4 17.5h16',
  outbox: 'M21 3 3 11l7 3 3 7zM10 14 21 3',
  people: 'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20a6.5 6.5 0 0 1 13 0M16 4.3a3.5 3.5 0 0 1 0 6.4M18.5 14.4a6.5 6.5 0 0 1 3 5.6',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5a7.5 7.5 0 0 1 15 0',
  plug: 'M9 3v5M15 3v5M6.5 8h11v3.5a5.5 5.5 0 0 1-11 0zM12 17v4',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.2 15.2 20.5 20.5',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM9 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  shield: 'M12 3l7.5 3v5.5c0 4.5-3 8-7.5 9.5-4.5-1.5-7.5-5-7.5-9.5V6zM8.5 12l2.5 2.5 4.5-5',
  teams: 'M4 20V8.5h7V20M11 20V4h9v16M2.5 20h19M14 8h3M14 12h3M14 16h3M7 12h1M7 16h1',
  ticket: 'M3.5 6.5h17v3.5a2 2 0 0 0 0 4v3.5h-17V14a2 2 0 0 0 0-4zM14.5 7v2M14.5 11v2M14.5 15v2',
  trash: 'M4.5 6.5h15M9.5 6.5V4h5v2.5M6.5 6.5l1 14h9l1-14M10.5 10.5v6M13.5 10.5v6',
  webhook:
    'M12 8.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM5.5 20a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM18.5 20a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM10.8 8.2 6.8 15.3M13.2 8.2l4 7.1M8 17.5h8',
} as const

export type IconName = keyof typeof paths

/** An icon beside its label, in the colour and size of the text. Screen readers read the label only. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
)
