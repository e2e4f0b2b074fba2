import type { PageLink } from '../framework/page.ts'

/** Where the page is: links to the pages above it, and its title. Renders nothing for a page at the top. */
export const Breadcrumbs = ({ above, title }: { above: readonly PageLink[]; title: string }) =>
  above.length === 0 ? null : (
    <nav class="breadcrumbs" aria-label="Breadcrumbs">
      <ol>
        {above.map(({ path, label }) => (
          <li>
            <a href={path}>
              <bdi>{label}</bdi>
            </a>
          </li>
        ))}
        <li aria-current="page">
          <bdi>{title}</bdi>
        </li>
      </ol>
    </nav>
  )
