import { randomUUID } from 'node:crypto'
import { userInfo } from 'node:os'
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { openClient } from '../../prisma/connection/database.ts'
import type { Context } from '../../schema/core/context.ts'
import { getErrorCode } from '../config/error-message.ts'
import { createPorts } from '../config/ports.ts'
import { lazyDeriver, loadSecretKey, secretDeriver } from '../config/secret-key.ts'
import { readConfig } from '../config/settings.ts'
import type { DatabaseLog } from '../database/embedded/postgres-log.ts'
import { openDatabase } from '../database/open.ts'
import { createConfiguredRequests } from '../outgoing/outgoing-requests.ts'
import { createCommandMailer } from './command-mailer.ts'
import type { CommandMailer } from './command-mailer.ts'
import { currentTerminal } from './terminal/terminal.ts'

/** Executes an operation as the operator. */
export type Execute = <Data, Variables extends Record<string, unknown>>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
) => Promise<Data>

/** Prints warnings about opening the database. Commands do not print its progress. */
export const commandLog: DatabaseLog = { info: () => {}, warn: (text) => void currentTerminal().stderr.write(`${text}\n`) }

/**
 * Runs `work` with access to the GraphQL schema, through which commands read and change data. With `opensOutbox`, the tables of the outbox
 * exist, which are otherwise created with the first mail.
 */
export async function asOperator<Result>(work: (execute: Execute) => Promise<Result>, { opensOutbox = false } = {}): Promise<Result> {
  const config = readConfig(currentTerminal().settings)
  // This module is imported on demand, because import, export and help do not execute operations.
  const { prepareDocument, run } = await import('../../schema/execute.ts')
  const opened = await openDatabase(config, 'command', commandLog)
  const database = openClient(opened.poolConfig)
  const outgoing = createConfiguredRequests(config)
  let mailer: CommandMailer | undefined
  const getMailer = async () => (mailer ??= await createCommandMailer(config, opened.poolConfig, database))
  const ports = createPorts({
    config,
    database,
    outgoing,
    sendMail: async (transaction, mail) => (await getMailer()).sendMail(transaction, mail),
    // SECRET_KEY is read on use, so that other commands do not create the key file.
    deriveSecret: lazyDeriver(() => secretDeriver(config.secretKey ?? loadSecretKey(config.dataDir), config.secretKeyPrevious)),
    // `sessionsEnded` keeps its default, because only a running authorization server can inform clients of sign-outs.
  })
  const context: Context = {
    ...ports,
    principal: { kind: 'operator', authenticationMethod: 'command_line', name: operatorName() },
    requestId: randomUUID(),
    browser: null,
  }
  try {
    if (opensOutbox) await (await getMailer()).open()
    return await work((document, variables) => run(prepareDocument(document), variables, context))
  } finally {
    await mailer?.stop()
    await outgoing.close()
    await database.close()
    await opened.close()
  }
}

/** Returns the operator's name for the audit log: the user of the operating system, or its number if it has no name. */
export function operatorName(): string {
  try {
    return userInfo().username
  } catch (error) {
    if (getErrorCode(error) !== 'ERR_SYSTEM_ERROR') throw error
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

interface Page<Node> {
  nodes: Node[]
  lastPage: number
}

/** Reads all pages of a list. */
export async function allPages<Node>(read: (page: number) => Promise<Page<Node>>): Promise<Node[]> {
  const all: Node[] = []
  for (let page = 1, last = 1; page <= last; page++) {
    const { nodes, lastPage } = await read(page)
    all.push(...nodes)
    last = lastPage
  }
  return all
}

type EnumName<Value extends string> = Uppercase<Value extends `${infer Start}.${infer Rest}` ? `${Start}_${Rest}` : Value>

/** Returns the name of an enum value in GraphQL: `TEAM_UPDATED` for `team.updated`. */
export function toEnumName<Value extends string>(value: Value): EnumName<Value>
export function toEnumName(value: string): string {
  return value.toUpperCase().replaceAll('.', '_')
}
