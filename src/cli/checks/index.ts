import type { Check } from './check.ts'
import { clock } from './clock.ts'
import { certificates } from './data/certificates.ts'
import { domains } from './data/domains.ts'
import { issuers } from './data/issuers.ts'
import { providers } from './data/providers.ts'
import { keptNames } from './data/kept-names.ts'
import { teamCounts } from './data/team-counts.ts'
import { webhooks } from './data/webhooks.ts'
import { disk } from './disk.ts'
import { mailServer } from './mail-server.ts'
import { migrations } from './migrations.ts'
import { outgoing } from './outgoing.ts'
import { postgresql } from './postgresql.ts'
import { publicAddress } from './public-address.ts'
import { queue } from './queue.ts'
import { schema } from './schema.ts'
import { settings } from './settings.ts'
import { signingKeys } from './signing-keys.ts'

/** All checks of `doctor`, in the order of its output. */
export const checks: readonly Check[] = [
  settings,
  clock,
  postgresql,
  migrations,
  schema,
  teamCounts,
  keptNames,
  signingKeys,
  queue,
  mailServer,
  outgoing,
  webhooks,
  issuers,
  providers,
  certificates,
  domains,
  disk,
  publicAddress,
]
