export interface Tab {
  path: string
  label: string
  isCurrent: boolean
}

/** Links to the parts of an object, each of which is a page with its own address. */
export const Tabs = ({ label, tabs }: { label: string; tabs: readonly Tab[] }) =>
  tabs.length > 0 && (
    <nav class="tabs" aria-label={label}>
      <ul>
        {tabs.map(({ path, label, isCurrent }) => (
          <li>
            <a href={path} aria-current={isCurrent ? 'page' : undefined}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
