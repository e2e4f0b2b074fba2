import type { OpenDatabase } from '../../../prisma/connection/database.ts'
import { createClient } from './oauth.ts'
import type { ClientOptions, TestClient } from './oauth.ts'

/** Grant type of the device flow (RFC 8628 §3.4). */
export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code'

/** Registers a public client that uses the device flow and has no redirect URI. */
export const createDeviceClient = (database: OpenDatabase, options: ClientOptions = {}): Promise<TestClient> =>
  createClient(database, { confidential: false, redirectUris: [], grantTypes: [deviceGrantType, 'refresh_token'], name: 'TV', ...options })
