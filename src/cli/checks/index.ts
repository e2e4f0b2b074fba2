import type { Check } from './check.ts'
import { clockCheck } from './clock.ts'
import { certificatesCheck } from './data/certificates.ts'
import { domainsCheck } from './data/domains.ts'
import { issuersCheck } from './data/issuers.ts'
import { providersCheck } from './data/providers.ts'
import { keptNamesCheck } from './data/kept-names.ts'
import { teamCountsCheck } from './data/team-counts.ts'
import { webhooksCheck } from './data/webhooks.ts'
import { diskCheck } from './disk.ts'
import { mailServerCheck } from './mail-server.ts'
import { migrationsCheck } from './migrations.ts'
import { outgoingCheck } from './outgoing.ts'
import { postgresqlCheck } from './postgresql.ts'
import { publicAddressCheck } from './public-address.ts'
import { queueCheck } from './queue.ts'
import { schemaCheck } from './schema.ts'
import { settingsCheck } from './settings.ts'
import { signingKeysCheck } from './signing-keys.ts'

/** All checks of `doctor`, in the order of its output. */
export const checks: readonly Check[] = [
  settingsCheck,
  clockCheck,
  postgresqlCheck,
  migrationsCheck,
  schemaCheck,
  teamCountsCheck,
  keptNamesCheck,
  signingKeysCheck,
  queueCheck,
  mailServerCheck,
  outgoingCheck,
  webhooksCheck,
  issuersCheck,
  providersCheck,
  certificatesCheck,
  domainsCheck,
  diskCheck,
  publicAddressCheck,
]
