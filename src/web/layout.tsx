import type { ComponentChildren } from 'preact'
import { isolateName } from './display-name.ts'
import { scriptPath, stylesheetPath } from './assets.ts'

interface PlainLayoutProps {
  /** Heading and title. */
  title: string
  /** Error message at the top of the page. A field can refer to it by `alertId`. */
  alert?: string | undefined
  /** Confirmation of the previous action. */
  notice?: string | undefined
  scripts?: readonly string[]
  children?: ComponentChildren
}

export const alertId = 'alert'

interface HeadProps {
  title: string
  alert: string | undefined
  /** File names in `scripts/`. */
  scripts?: readonly string[]
}

export const Head = ({ title, alert, scripts = [] }: HeadProps) => (
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    {/* Screen readers announce the title first, so it mentions the error. */}
    <title>{`${alert === undefined ? '' : 'Error: '}${isolateName(title)} · Team accounts`}</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href={stylesheetPath} />
    {scripts.map((name) => (
      <script src={scriptPath(name)} defer />
    ))}
  </head>
)

interface PageHeadingProps {
  title: string
  notice: string | undefined
  alert: string | undefined
}

/** The heading of every page, with the confirmation of the previous action and the error message. */
export const PageHeading = ({ title, notice, alert }: PageHeadingProps) => (
  <>
    <h1>{title}</h1>
    {notice !== undefined && (
      <p class="notice" role="status">
        {notice}
      </p>
    )}
    {alert !== undefined && (
      <p class="alert" role="alert" id={alertId}>
        {alert}
      </p>
    )}
  </>
)

/** The layout without navigation, for pages that need no sign-in and for pages with a single decision. */
export const PlainLayout = ({ title, alert, notice, scripts, children }: PlainLayoutProps) => (
  <html lang="en">
    <Head title={title} alert={alert} scripts={scripts} />
    <body>
      <header>
        <a class="brand" href="/">
          Team accounts
        </a>
      </header>
      <main>
        <PageHeading title={title} notice={notice} alert={alert} />
        {children}
      </main>
    </body>
  </html>
)

/** Shown on pages that have no other link. */
export const StartPageLink = () => (
  <p>
    <a href="/">Go to the start page</a>
  </p>
)
