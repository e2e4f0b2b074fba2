import type { ComponentChildren, VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { inSentence } from '../names.ts'
import { scriptPath, stylesheetPath } from './assets.ts'

interface PlainFrameProps {
  /** Heading and title. */
  title: string
  /** What went wrong, said first; a field that is to blame refers to it by `alertId`. */
  alert?: string | undefined
  /** What has just been done. */
  notice?: string | undefined
  scripts?: readonly string[]
  children?: ComponentChildren
}

export const alertId = 'alert'

interface HeadProps {
  title: string
  alert: string | undefined
  /** Files of `scripts/`. */
  scripts?: readonly string[]
}

export const Head = ({ title, alert, scripts = [] }: HeadProps) => (
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    {/* What went wrong is said in the title too: a page that comes back is announced by it. */}
    <title>{`${alert === undefined ? '' : 'Error: '}${inSentence(title)} · Team accounts`}</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href={stylesheetPath} />
    {scripts.map((name) => (
      <script src={scriptPath(name)} defer />
    ))}
  </head>
)

interface OpeningProps {
  title: string
  notice: string | undefined
  alert: string | undefined
}

/** How the content of every page begins: what it is, what has just been done, what is wrong. */
export const Opening = ({ title, notice, alert }: OpeningProps) => (
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

/** The frame of the pages on which nobody is signed in, or one thing is to be decided. */
export const PlainFrame = ({ title, alert, notice, scripts, children }: PlainFrameProps) => (
  <html lang="en">
    <Head title={title} alert={alert} scripts={scripts} />
    <body>
      <header>
        <a class="brand" href="/">
          Team accounts
        </a>
      </header>
      <main>
        <Opening title={title} notice={notice} alert={alert} />
        {children}
      </main>
    </body>
  </html>
)

/** The way onward from a page that has no other. */
export const ToStart = () => (
  <p>
    <a href="/">Go to the start page</a>
  </p>
)

/** A name that somebody chose, kept from turning the sentence around it. */
export const Name = ({ children }: { children: string }) => (
  <strong>
    <bdi>{children}</bdi>
  </strong>
)

/** A picture drawn by us in place of a client's logo: nothing is fetched from a third party. */
export const Initials = ({ name }: { name: string }) => (
  <span class="initials" aria-hidden="true">
    {name
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean)
      .slice(0, 2)
      .map((word) => Array.from(word)[0]?.toUpperCase())
      .join('')}
  </span>
)

/** The hidden fields of a form. */
export const Hidden = ({ fields }: { fields: Record<string, string> }) => (
  <>
    {Object.entries(fields).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
  </>
)

/** The document as it is sent. */
export const renderPage = (page: VNode): string => `<!doctype html>${renderToString(page)}`
