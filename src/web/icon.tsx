// Icons of the navigation: lines of one width on a grid of 24, drawn for this service. Each icon is one path, so all of them add less than
// 2 kB to a page and load nothing.

const paths = {
  bell: 'M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 2h-15zM10 21.5h4',
  code: 'M8.5 7 3.5 12l5 5M15.5 7l5 5-5 5M13.5 4.5l-3 15',
  eye: 'M2.5 12S6 5.5 12 5.5s9.5 6.5 9.5 6.5-3.5 6.5-9.5 6.500S2.5 12 2.5 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  file: 'M6 3h8.500L19 7.500V21H6zM14 3v5h5M9 12.500h7M9 16.500h7',
  grid: 'M4 4h6.500v6.500H4zM13.5 4H20v6.500h-6.500zM4 13.500h6.500V20H4zM13.5 13.500H20V20h-6.500z',
  home: 'M4 10.5 12 4l8 6.500V20h-5.500v-5.500h-5V20H4z',
  key: 'M8 20a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM11.2 12.3 20 3.500M15.5 8l3.5 3.5',
  list: 'M8.5 6H20M8.5 12H20M8.5 18H20M4 6h.01M4 12h.01M4 18h.01',
  lock: 'M5.5 11h13v9.500h-13zM8 11V7.500a4 4 0 0 1 8 0V11M12 14.500v2.5',
  mail: 'M3 5.500h18v13H3zM3.5 6l8.5 7 8.5-7',
  menu: 'M4 6.500h16M4 12h16M4 17.500h16',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20a6.5 6.5 0 0 1 13 0M16 4.300a3.5 3.5 0 0 1 0 6.400M18.5 14.400a6.5 6.5 0 0 1 3 5.6',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.500a7.5 7.5 0 0 1 15 0',
  plug: 'M9 3v5M15 3v5M6.5 8h11v3.500a5.5 5.5 0 0 1-11 0zM12 17v4',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM9 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  shield: 'M12 3l7.5 3v5.500c0 4.5-3 8-7.5 9.5-4.5-1.5-7.5-5-7.5-9.500V6zM8.5 12l2.5 2.5 4.5-5',
  trash: 'M4.5 6.500h15M9.5 6.500V4h5v2.500M6.5 6.500l1 14h9l1-14M10.5 10.500v6M13.5 10.500v6',
  webhook:
    'M12 8.500a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM5.5 20a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM18.5 20a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM10.8 8.200 6.8 15.300M13.2 8.200l4 7.100M8 17.500h8',
} as const

export type IconName = keyof typeof paths

/** An icon beside its label, in the colour and size of the text. Screen readers read the label only. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
)
