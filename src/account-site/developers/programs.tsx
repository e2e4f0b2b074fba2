import { fillSample, isOnOwnComputer } from '../../../rest-facade/openapi/quick-start.ts'
import { isPrivateUse } from '../../../schema/core/outgoing/url-rules.ts'
import { Samples } from '../../web/components/samples.tsx'
import type { DeveloperAppSettingsQuery } from '../generated/operations.ts'
import { actsForTeam, runsOnDevices, usesCodeFlow } from './form/app-kinds.ts'

type App = Pick<
  DeveloperAppSettingsQuery['team']['client'],
  'clientId' | 'confidential' | 'grantTypes' | 'redirectUris' | 'requiredScopes' | 'optionalScopes'
>

/** Returns the redirect URI of the programs: on the computer of the developer if the app has such a URI. */
export const chooseRedirectUri = ({ redirectUris }: Pick<App, 'redirectUris'>): string =>
  redirectUris.find(isOnOwnComputer) ?? redirectUris[0] ?? ''

/** Programs that use the app, filled in with its values. The first one is open. */
export const Programs = ({ app, authUrl }: { app: App; authUrl: string }) => (
  <Samples
    isFirstOpen
    samples={listPrograms(app).map(({ language, file }) => ({
      id: file,
      title: language,
      code: fillSample(file, {
        authUrl,
        clientId: app.clientId,
        redirectUri: chooseRedirectUri(app),
        scope: [...app.requiredScopes, ...app.optionalScopes].join(' '),
        isConfidential: app.confidential,
      }),
    }))}
  />
)

/** A program can receive responses at every redirect URI except one with a private-use scheme, which leads to an installed app. */
const listPrograms = (app: App) => [
  ...(usesCodeFlow(app) && !isPrivateUse(chooseRedirectUri(app))
    ? [
        { language: 'Node.js', file: 'app.mjs' },
        { language: 'Python', file: 'app.py' },
        { language: 'PHP', file: 'app.php' },
        { language: 'Go', file: 'app.go' },
      ]
    : []),
  ...(usesCodeFlow(app) ? [{ language: 'curl', file: 'connect.sh' }] : []),
  ...(runsOnDevices(app) ? [{ language: 'curl, on a device', file: 'device.sh' }] : []),
  ...(actsForTeam(app)
    ? [
        { language: 'Node.js, for the team', file: 'service.mjs' },
        { language: 'Python, for the team', file: 'service.py' },
        { language: 'PHP, for the team', file: 'service.php' },
        { language: 'Go, for the team', file: 'service.go' },
        { language: 'curl, for the team', file: 'service.sh' },
      ]
    : []),
]
