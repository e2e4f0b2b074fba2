import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { findRequirement } from '../../../schema/core/requires.ts'
import { schema } from '../../../schema/index.ts'
import { factors, giveFactor, passwordSession, prove } from '../../support/account-site/password-session.ts'
import { readAllRows } from '../../support/graphql/all-rows.ts'
import { scenarios } from '../../support/graphql/scenarios/mutation-scenarios.ts'
import { createScenarioContext } from '../../support/graphql/scenarios/scenario.ts'
import { queryInSession } from '../../support/graphql/session-request.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// A session that began with the password alone, before the account got a second factor in another session
// (docs/decisions/accounts.md#what-a-session-has-proved). For every mutation that requires a recent sign-in.

const service = useService()
const { prisma } = service.database

const guarded = Object.values(schema.getMutationType()?.getFields() ?? {}).flatMap(({ name, extensions }) =>
  findRequirement(extensions)?.recentSignIn ? [name] : [],
)

/** Prepares a mutation whose caller is signed in by password alone and has got the second factor since. */
async function prepare(name: string, factor: (typeof factors)[number]) {
  const context = await createScenarioContext(service)
  const { passwordHash } = await createPerson(service.database)
  const sessions = new Map<string, Awaited<ReturnType<typeof passwordSession>>>()
  for (const user of [context.owner, context.member]) {
    await prisma.user.update({ where: { id: user.id }, data: { passwordHash } })
    sessions.set(user.id, await passwordSession(service, user))
  }
  const scenario = scenarios[name]
  const { principal, variables } = (await scenario?.prepare(context)) ?? {}
  const browser = principal?.kind === 'user' && sessions.get(principal.user.id)
  if (!scenario || !browser) throw new Error('no scenario of a session')
  const code = await giveFactor(service, principal.user, factor)
  const send = async () => (await queryInSession(browser, scenario.document, variables)).errors?.[0]?.extensions.code ?? null
  return { browser, code, send }
}

describe.each(factors)('after the account got the second factor %s', (factor) => {
  test.each(guarded)('%s is refused and changes nothing, until the session has proved it', async (name) => {
    const { browser, code, send } = await prepare(name, factor)
    const before = await readAllRows(service)
    expect([await send(), isDeepStrictEqual(await readAllRows(service), before)]).toEqual(['recent_sign_in_required', true])
    await prove(browser, code)
    // Some cannot succeed with this factor, but none for the lack of a proof.
    expect([null, 'validation_failed']).toContain(await send())
  })
})
