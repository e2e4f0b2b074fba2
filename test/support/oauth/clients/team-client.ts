import { parse } from 'graphql'
import type { Context } from '../../../../schema/core/context.ts'
import type { Principal } from '../../../../schema/core/principals.ts'
import { DomainError } from '../../../../schema/core/errors.ts'
import { execute } from '../../../../schema/execute.ts'
import { contextOf, sessionOf } from '../../service/in-process.ts'
import type { TestService } from '../../service/service.ts'
import { createOwnedTeam, unique } from '../../data/team.ts'
import { createClient } from '../oauth.ts'
import type { ClientOptions } from '../oauth.ts'

/** A client of a new team, with a name that no other has, whose owner is signed in. */
export async function createTeamClient(service: TestService, options: ClientOptions = {}) {
  const { team, owner } = await createOwnedTeam(service.database)
  const session = await sessionOf(service, owner)
  const client = await createClient(service.database, { name: unique('Planner'), ownerTeamId: team.id, state: 'draft', ...options })
  return { team, owner, session, client }
}

/** Executes a document as a principal at a service with these settings. Returns the data, and the code and messages of the first refusal. */
export async function executeWith(
  service: TestService,
  principal: Principal,
  source: string,
  variables: Record<string, unknown> = {},
  settings: Partial<Pick<Context, 'clientRegistration' | 'brandName'>> = {},
): Promise<{ data: any; code?: string; messages?: unknown }> {
  const context = { ...contextOf(service, principal), ...settings }
  const { data, errors: [error] = [] } = await execute(parse(source), variables, context)
  if (!error) return { data }
  const { originalError } = error
  if (!(originalError instanceof DomainError)) throw error
  return { data, code: originalError.code, messages: originalError.details.errors }
}
