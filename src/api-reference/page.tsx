import type { ComponentChildren } from 'preact'
import { documentationClientId, documentationRedirectUri } from '../../rest-facade/openapi/documentation-client.ts'
import { allowsChanges, oauthScopes, scopes } from '../../schema/core/scopes.ts'
import { useLook } from '../web/brand/look.ts'
import { BrandLink } from '../web/layout.tsx'
import { graphiqlPath } from '../web/page-paths.ts'

interface PageProps {
  stylesheetPath: string
  scriptPath: string
  publicUrl: string
}

interface DocumentProps extends Omit<PageProps, 'publicUrl'> {
  title: string
  /** Settings for the script. */
  settings: object
  /** Links to files that the script will load. */
  preloads?: ComponentChildren
  children: ComponentChildren
}

/** The HTML document, without the stylesheet of the other pages, because its rules would apply to Scalar's elements, too. */
function Document({ title, stylesheetPath, scriptPath, settings, preloads, children }: DocumentProps) {
  const { brand, iconPath, theme } = useLook()
  return (
    <html lang="en" data-theme={theme === 'system' ? undefined : theme} data-settings={JSON.stringify(settings)}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · ${brand.name}`}</title>
        <link rel="icon" href={iconPath} />
        <link rel="stylesheet" href={stylesheetPath} />
        {preloads}
        <script type="module" src={scriptPath} />
      </head>
      <body>{children}</body>
    </html>
  )
}

/** The preselected scopes: all that only read, so that most requests work after the sign-in. */
const selectedScopes = oauthScopes.filter((scope) => scope === 'openid' || (scopes[scope].product !== 'identity' && !allowsChanges(scope)))

/** The reference of the REST API, which Scalar creates from the OpenAPI document. */
export function ReferencePage({ libraryPath, publicUrl, ...files }: PageProps & { libraryPath: string }) {
  const { brand } = useLook()
  const client = { clientId: documentationClientId, redirectUri: documentationRedirectUri(publicUrl), selectedScopes }
  const settings = { origin: new URL(publicUrl).origin, libraryPath, client, title: `API reference · ${brand.name}` }
  const preloads = (
    <>
      <link rel="modulepreload" href={libraryPath} />
      <link rel="preload" as="fetch" href="/api/openapi.json" crossorigin="anonymous" />
    </>
  )
  return (
    <Document {...files} title="API reference" settings={settings} preloads={preloads}>
      {/* This element is not a header, because Scalar has its own on phones. */}
      <nav class="site-header" aria-label="Site">
        <BrandLink />
        <ul>
          <li>
            <a href={graphiqlPath}>GraphiQL</a>
          </li>
          <li>
            <a href="/api/openapi.json">OpenAPI</a>
          </li>
        </ul>
      </nav>
      <noscript>
        <p>
          The API reference needs JavaScript. The same content as JSON: <a href="/api/openapi.json">openapi.json</a>.
        </p>
      </noscript>
      {/* The element is empty, because Scalar would treat content as its own server-rendered page. */}
      <div id="reference" />
    </Document>
  )
}

/** The redirect URI of the reference, in a pop-up window. Scalar reads the code from its address and closes it. */
export const RedirectPage = ({ publicUrl, ...files }: PageProps) => (
  <Document {...files} title="Signed in" settings={{ origin: new URL(publicUrl).origin }}>
    <main class="redirect">
      <h1>Return to the API reference</h1>
      <p>You can close this window.</p>
    </main>
  </Document>
)
