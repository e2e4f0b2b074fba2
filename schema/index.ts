// Every domain file, for what it adds to the builder; the schema is built once, when all have.
import './scalars.ts'
import './team.ts'
import './connected-app.ts'
import './invoice.ts'
import './member.ts'
import './invitation.ts'
import './invitation-mutations.ts'
import './token.ts'
import './token-mutations.ts'
import './oauth-client.ts'
import './oauth-client-mutations.ts'
import './grant.ts'
import './grant-mutations.ts'
import './signing-key.ts'
import './user.ts'
import './viewer.ts'
import './rule-capabilities.ts'
import { builder } from './builder.ts'

/** What is true: the one schema behind every door. Unsorted, since enums have the contract's order. */
export const schema = builder.toSchema({ sortSchema: false })
