import type { Check } from './check.ts'
import { clockCheck, diskCheck } from './machine.ts'
import { certificatesCheck, domainsCheck, providersCheck } from './data/sign-in-check.ts'
import { issuersCheck } from './data/issuers.ts'
import { keptNamesCheck } from './data/kept-names.ts'
import { teamCountsCheck } from './data/team-counts.ts'
import { webhooksCheck } from './data/webhook-check.ts'
import { mailServerCheck, queueCheck } from './mail-check.ts'
import { migrationsCheck, schemaCheck } from './schema.ts'
import { outgoingCheck } from './outgoing.ts'
import { postgresqlCheck } from './postgresql.ts'
import { publicAddressCheck } from './public-address.ts'
import { settingsCheck } from './settings-check.ts'
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
