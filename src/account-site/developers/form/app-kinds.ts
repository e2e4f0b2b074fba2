import { deviceGrant } from '../../../../schema/oauth/clients/client-rules.ts'

interface Kind {
  label: string
  hint: string
  confidential: boolean
  grantTypes: readonly string[]
}

/** The kinds of apps that developers choose from. The kind decides how an app authenticates and which grants it uses. */
export const kinds = {
  web: {
    label: 'Web app with a server',
    hint: 'It keeps a client secret on the server.',
    confidential: true,
    grantTypes: ['authorization_code', 'refresh_token'],
  },
  public: {
    label: 'Single-page, mobile, desktop or command-line app',
    hint: 'It runs on the devices of its users, so it cannot keep a secret and gets none.',
    confidential: false,
    grantTypes: ['authorization_code', 'refresh_token'],
  },
  device: {
    label: 'App on a device without a browser',
    hint: 'Its users enter a code on their phone or computer.',
    confidential: false,
    grantTypes: [deviceGrant, 'refresh_token'],
  },
  service: {
    label: 'Service without users',
    hint: 'It acts for this team with its own access, and keeps a client secret.',
    confidential: true,
    grantTypes: ['client_credentials'],
  },
} as const satisfies Record<string, Kind>

export type KindName = keyof typeof kinds
export const isKind = (name: string): name is KindName => Object.hasOwn(kinds, name)

/** Labels of the grants that an app can use, each with its purpose. */
export const grantLabels: Readonly<Record<string, { label: string; hint: string }>> = {
  authorization_code: { label: 'Authorization code', hint: 'Users sign in and allow access in a browser. Always with PKCE.' },
  refresh_token: { label: 'Refresh token', hint: 'The app keeps access while the user is away, if the user allows it.' },
  [deviceGrant]: { label: 'Device code', hint: 'For devices without a browser.' },
  client_credentials: { label: 'Client credentials', hint: 'The app acts for this team without a user.' },
}

type Granted = Pick<Kind, 'grantTypes'>
export const usesCodeFlow = ({ grantTypes }: Granted): boolean => grantTypes.includes('authorization_code')
export const actsForTeam = ({ grantTypes }: Granted): boolean => grantTypes.includes('client_credentials')
export const runsOnDevices = ({ grantTypes }: Granted): boolean => grantTypes.includes(deviceGrant)
/** Returns true if users connect the app. An app that acts only for its team needs no review. */
export const hasUsers = (app: Granted): boolean => usesCodeFlow(app) || runsOnDevices(app)
