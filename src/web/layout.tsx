import type { ComponentChildren } from 'preact'
import { scriptPath } from './assets.ts'
import { useLook } from './brand/look.ts'
import { isolateName, getInitials } from './display-name.ts'

interface PlainLayoutProps {
  /** Heading and title. */
  title: string
  /** Error message at the top of the page. */
  alert?: string | undefined
  /** True if the page shows a refused form again, with its messages at the fields. */
  isRefused?: boolean
  /** Confirmation of the previous action. */
  notice?: string | undefined
  scripts?: readonly string[]
  /** Mark of the app that the page is about, shown above the heading. */
  mark?: ComponentChildren
  /** True to add a large panel with the brand, on pages for signing in or up. */
  isWelcome?: boolean
  children?: ComponentChildren
}

interface DocumentProps {
  title: string
  hasError: boolean
  /** File names in `scripts/`. */
  scripts?: readonly string[] | undefined
  /** Class of the body element. */
  kind: string
  children: ComponentChildren
}

// https://html.spec.whatwg.org/multipage/links.html#link-type-expect. The types of Preact do not know `blocking`.
const awaitsEnd = { rel: 'expect', href: '#end', blocking: 'render' }

/** The HTML document of every page. */
export function Document({ title, hasError, scripts = [], kind, children }: DocumentProps) {
  const { brand, stylesheetPath, iconPath, theme } = useLook()
  return (
    <html lang="en" data-theme={theme === 'system' ? undefined : theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        {/* The title mentions the error, because screen readers announce the title first. */}
        <title>{`${hasError ? 'Error: ' : ''}${isolateName(title)} · ${brand.name}`}</title>
        <link rel="icon" href={iconPath} />
        <link rel="stylesheet" href={stylesheetPath} />
        {/* The browser draws the page once it has read all of it: a table that it draws row by row changes the widths of its columns. */}
        <link {...awaitsEnd} />
        {scripts.map((name) => (
          <script src={scriptPath(name)} defer />
        ))}
      </head>
      <body class={kind}>
        {children}
        <span id="end" hidden />
      </body>
    </html>
  )
}

interface PageHeadingProps {
  title: string
  /** Content on the same line as the title. */
  badge?: ComponentChildren
  notice: string | undefined
  alert: string | undefined
  /** Links to the pages of the object that the title names. */
  tabs?: ComponentChildren
}

/** The heading of every page, with the confirmation of the previous action and the error message. */
export const PageHeading = ({ title, badge, notice, alert, tabs }: PageHeadingProps) => (
  <>
    {badge ? (
      <div class="title">
        <h1>{title}</h1>
        {badge}
      </div>
    ) : (
      <h1>{title}</h1>
    )}
    {tabs}
    {notice !== undefined && (
      <p class="notice" role="status">
        {notice}
      </p>
    )}
    {alert !== undefined && (
      <p class="alert" role="alert">
        {alert}
      </p>
    )}
  </>
)

/** The layout without navigation, for pages that need no sign-in and for pages with a single decision. */
export const PlainLayout = ({ title, alert, isRefused = false, notice, scripts, mark, isWelcome = false, children }: PlainLayoutProps) => (
  <Document title={title} hasError={isRefused || alert !== undefined} scripts={scripts} kind={isWelcome ? 'plain welcome' : 'plain'}>
    <header>
      <BrandLink />
      {isWelcome && <p>One account for your teams, products and invoices.</p>}
    </header>
    <main>
      {mark}
      <PageHeading title={title} notice={notice} alert={alert} />
      {children}
    </main>
    <Footer />
  </Document>
)

/** A link to the start page, for pages without another link. */
export const StartPageLink = () => (
  <p>
    <a href="/">Go to the start page</a>
  </p>
)

/** The logo and the name of the product, as a link to the start page. */
export function BrandLink() {
  const { brand, logoPath } = useLook()
  return (
    <a class="brand" href="/">
      {logoPath === null ? (
        <span class="logo" aria-hidden="true">
          {getInitials(brand.name).slice(0, 1)}
        </span>
      ) : (
        <img class="logo" src={logoPath} alt="" width="32" height="32" />
      )}
      <span>{brand.name}</span>
    </a>
  )
}

/** Links at the end of every page. */
export function Footer() {
  const { brand } = useLook()
  const links = [
    [brand.termsUrl, 'Terms'],
    [brand.privacyUrl, 'Privacy'],
    [brand.support && `mailto:${brand.support}`, 'Support'],
  ]
  return (
    <footer>
      <ul>
        {links.map(
          ([address, label]) =>
            address && (
              <li>
                <a href={address}>{label}</a>
              </li>
            ),
        )}
      </ul>
    </footer>
  )
}
