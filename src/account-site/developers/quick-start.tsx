import { fillSample } from '../../../rest-facade/openapi/quick-start.ts'
import { CopyButton } from '../../web/components/copy-button.tsx'
import { FoldedSection } from '../../web/components/forms/folded-section.tsx'
import type { DeveloperAppQuery } from '../generated/operations.ts'
import { actsForTeam, runsOnDevices, usesCodeFlow } from './form/app-kinds.ts'

type App = DeveloperAppQuery['team']['client']

/** Identifiers and URLs that a developer needs first, and samples that contain them. */
export const QuickStart = ({ app, authUrl }: { app: App; authUrl: string }) => {
  const scopes = [...app.requiredScopes, ...app.optionalScopes]
  return (
    <FoldedSection id="quick-start" title="Quick start">
      <dl>
        <dt>Client ID</dt>
        <dd>
          <code id="client-id">{app.clientId}</code> <CopyButton targetId="client-id">Copy</CopyButton>
        </dd>
        <dt>Issuer</dt>
        <dd>
          <code>{authUrl}</code>
        </dd>
        <dt>Discovery document</dt>
        <dd>
          <a href="/.well-known/openid-configuration">{authUrl}/.well-known/openid-configuration</a>
        </dd>
      </dl>
      <p>
        OpenID Connect libraries need only these values. The samples below show every request.
        {app.confidential && (
          <>
            {' '}
            They read the secret from the environment variable <code>CLIENT_SECRET</code>.
          </>
        )}
      </p>
      {samplesFor(app).map(({ language, file }) => (
        <details class="sample">
          <summary>{language}</summary>
          <pre id={file} tabIndex={0} role="region" aria-label={`Program: ${language}`}>
            {fillSample(file, {
              authUrl,
              clientId: app.clientId,
              redirectUri: app.redirectUris[0] ?? '',
              scope: scopes.join(' '),
              isConfidential: app.confidential,
            })}
          </pre>
          <div class="copying">
            <CopyButton targetId={file}>Copy</CopyButton>
          </div>
        </details>
      ))}
    </FoldedSection>
  )
}

const samplesFor = (app: App) => [
  ...(usesCodeFlow(app)
    ? [
        { language: 'curl', file: 'connect.sh' },
        { language: 'Node.js', file: 'app.mjs' },
        { language: 'Python', file: 'app.py' },
        { language: 'PHP', file: 'app.php' },
      ]
    : []),
  ...(runsOnDevices(app) ? [{ language: 'curl, on a device', file: 'device.sh' }] : []),
  ...(actsForTeam(app)
    ? [
        { language: 'curl, for the team', file: 'service.sh' },
        { language: 'Node.js, for the team', file: 'service.mjs' },
        { language: 'Python, for the team', file: 'service.py' },
        { language: 'PHP, for the team', file: 'service.php' },
      ]
    : []),
]
