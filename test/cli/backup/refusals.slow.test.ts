import { existsSync } from 'node:fs'
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { openSealedFile, sealContent } from '../../../src/backup/file-format.ts'
import { runLine } from '../../../src/cli/run.ts'
import { withTerminal } from '../../../src/cli/terminal/terminal.ts'
import { withSession } from '../../../src/database/connection.ts'
import { contentOf, settingsFor, succeed, useFolder } from '../../support/backup/backup-files.ts'
import { everything } from '../../support/data/records/everything.ts'
import { runCli, useCli } from '../../support/service/cli.ts'
import { useDatabase } from '../../support/service/database.ts'

const folder = useFolder()
const cli = useCli()
const empty = useDatabase({ migrated: false })
const [plain, encrypted, passphrase] = [folder('plain.backup'), folder('encrypted.backup'), folder('passphrase')]
const source = { ...cli.env, SECRET_KEY: 'a secret key of at least 32 characters' }
const target = { ...settingsFor(empty.url, folder('data')), SECRET_KEY: source.SECRET_KEY }
const usage = (command: string) => ` (see: npm run -s cli -- ${command} --help)\n`

beforeAll(async () => {
  await cli.import(everything().records)
  await writeFile(passphrase, 'correct horse battery staple\r\nsecond line\n')
  await succeed(source, ['backup', plain])
  const options = ['--encrypt', '--passphrase-file', passphrase, '--include-keys']
  await succeed(source, ['backup', encrypted, ...options])
})

/** Restores a file and expects that it is refused and that neither the database nor the data folder changed. */
async function expectRefused(file: string, code: string, message: string, settings: Record<string, string> = target) {
  const { status, stdout, stderr } = await runCli(settings, ['restore', file, '--passphrase-file', passphrase, '--json'])
  expect([status, stdout]).toEqual([1, ''])
  expect(JSON.parse(stderr)).toEqual({ error: { code, message: expect.stringContaining(`${message}; nothing was changed`) } })
  expect(await contentOf(empty.poolConfig)).toEqual({})
  expect(existsSync(folder('data'))).toBe(false)
}

/** Writes a changed copy of a backup. */
async function changed(file: string, change: (bytes: Buffer) => Buffer): Promise<string> {
  const copy = folder('changed.backup')
  await writeFile(copy, change(await readFile(file)))
  return copy
}

/** Writes a backup with a correct checksum whose content was changed. */
async function resealed(change: (content: string) => string): Promise<string> {
  const copy = folder('changed.backup')
  const content = await text((await openSealedFile(plain, async () => '')).content())
  const parts: Buffer[] = []
  for await (const part of sealContent(
    (async function* () {
      yield Buffer.from(change(content))
    })(),
    undefined,
  ))
    parts.push(part)
  await writeFile(copy, Buffer.concat(parts))
  return copy
}

describe('a restore', () => {
  test('refuses a file with a flipped bit, wherever it is', async () => {
    for (const file of [plain, encrypted]) {
      const { length } = await readFile(file)
      const header = (await readFile(file)).indexOf('\n')
      for (const position of [header + 1, header + 5, Math.floor(length / 2), length - 40, length - 1]) {
        const copy = await changed(file, (bytes) => bytes.fill((bytes[position] ?? 0) ^ 1, position, position + 1))
        await expectRefused(copy, 'damaged_backup', 'the backup is damaged or incomplete: its checksum differs')
      }
    }
  })

  test('refuses a truncated file', async () => {
    for (const file of [plain, encrypted])
      for (const keep of [0.99, 0.5]) {
        const copy = await changed(file, (bytes) => bytes.subarray(0, bytes.length * keep))
        await expectRefused(copy, 'damaged_backup', 'the backup is damaged or incomplete: its checksum differs')
      }
    const copy = await changed(plain, (bytes) => bytes.subarray(0, bytes.indexOf('\n') + 10))
    await expectRefused(copy, 'damaged_backup', 'the backup is damaged or incomplete: it is truncated')
  })

  test('refuses a folder, another file, another format version and a wrong passphrase', async () => {
    await expectRefused(folder(), 'not_a_backup', `${folder()} is a folder`)
    const text = await changed(plain, () => Buffer.from('{"type":"user"}\n'))
    await expectRefused(text, 'not_a_backup', `${text} is not a backup of this service`)
    const newer = await changed(plain, (bytes) => Buffer.from(bytes.toString('latin1').replace('"version":1', '"version":2'), 'latin1'))
    await expectRefused(newer, 'newer_backup', `${newer} was written by a newer version of the service`)
    await writeFile(folder('wrong'), 'incorrect horse')
    const wrong = await runCli(target, ['restore', encrypted, '--passphrase-file', folder('wrong')])
    expect(wrong).toEqual({ status: 1, stdout: '', stderr: 'the passphrase is wrong; nothing was changed\n' })
  })

  test('refuses a backup with an unknown migration, an unknown column, or fewer rows than it names', async () => {
    const newer = await resealed((content) => content.replace('_initial"', '_initial","20990101000000_future"'))
    await expectRefused(newer, 'newer_backup', 'it has the migration 20990101000000_future')
    const column = await resealed((content) => content.replace('["id","email"', '["id","e\\" FROM users; --"'))
    await expectRefused(column, 'damaged_backup', 'this version has no table users with a column e" FROM users; --')
    const fewer = await resealed((content) => content.replace(/(?<="table":"invoice_lines"[^\n]*\n)[^\n]*\n/, ''))
    await expectRefused(fewer, 'damaged_backup', 'has 1 of 2 rows')
  })

  test('refuses a database that has tables, and changes nothing in it', async () => {
    const before = await contentOf(cli.pool.options)
    const result = await runCli(source, ['restore', plain])
    expect(result).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^the database is not empty: it has \d+ tables; nothing was changed\n$/),
    })
    expect(await contentOf(cli.pool.options)).toEqual(before)
  })

  test('refuses to replace SECRET_KEY by another one that the backup includes', async () => {
    const settings = { ...target, SECRET_KEY: 'another secret key of 32 characters' }
    await expectRefused(encrypted, 'secret_key_differs', 'the SECRET_KEY in the backup differs from the current one', settings)
  })

  test('changes nothing if its connection is lost while it loads', async () => {
    const ending = withSession(empty.poolConfig, async (session) => {
      for (;;) {
        const { rowCount } = await session.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'team-account-command' AND query LIKE 'COPY%'`,
        )
        if (rowCount) return
      }
    })
    const { status, stderr } = await runCli(target, ['restore', plain])
    await ending
    expect([status, stderr]).toEqual([1, expect.stringContaining('the database cannot be reached')])
    expect(await contentOf(empty.poolConfig)).toEqual({})
  })

  test('warns if there is no SECRET_KEY, and creates none', async () => {
    const { SECRET_KEY: _, ...withoutKey } = target
    expect((await runCli(withoutKey, ['restore', plain])).stderr).toMatch(/^warning: there is no SECRET_KEY: /)
    expect(existsSync(folder('data'))).toBe(false)
  })
})

describe('a backup', () => {
  test.each([
    [['--include-keys'], '--include-keys requires --encrypt'],
    [['--passphrase-file', passphrase], '--passphrase-file requires --encrypt'],
    [['--encrypt'], '--passphrase-file is required without a terminal'],
    [['--encrypt', '--passphrase-file', '/dev/null'], 'the passphrase must have at least 12 characters'],
  ])('with %j writes nothing and exits with 2', async (options, message) => {
    const before = await readdir(folder())
    const result = await runCli(source, ['backup', folder('none.backup'), ...options])
    expect(result).toEqual({ status: 2, stdout: '', stderr: `${message}${usage('backup')}` })
    expect(await readdir(folder())).toEqual(before)
  })

  test('asks for the passphrase twice and does not show it', async () => {
    const typed = (...lines: string[]) => {
      const [stdin, stdout, stderr] = [Object.assign(new PassThrough(), { isTTY: true }), new PassThrough(), new PassThrough()]
      stderr.on('data', (question: Buffer) => question.includes('assphrase') && stdin.write(`${lines.shift()}\r`))
      const output = Promise.all([text(stdout), text(stderr)])
      const line = ['backup', folder('typed.backup'), '--encrypt', '--json']
      return withTerminal({ stdin, stdout, stderr, settings: source }, () => runLine(line)).then(async (status) => {
        stdout.end()
        stderr.end()
        return { status, shown: (await output).join('') }
      })
    }
    const differing = await typed('one passphrase of words', 'another passphrase')
    expect(differing).toEqual({
      status: 1,
      shown:
        'Passphrase: \nRepeat the passphrase: \n{"error":{"code":"not_confirmed","message":"the passphrases do not match: nothing was written"}}\n',
    })
    expect(await typed('one passphrase of words', 'one passphrase of words')).toMatchObject({
      status: 0,
      shown: expect.not.stringContaining('one passphrase'),
    })
  })

  test('overwrites a file only with --force', async () => {
    const file = folder('kept.backup')
    await writeFile(file, 'kept')
    const refused = { status: 1, stdout: '', stderr: `${file} exists: nothing was written; --force overwrites it\n` }
    expect(await runCli(source, ['backup', file])).toEqual(refused)
    expect(await readFile(file, 'utf8')).toBe('kept')
    expect(await runCli(source, ['backup', file, '--force'])).toMatchObject({ status: 0, stderr: '' })
    expect(await readFile(file, 'utf8')).toMatch(/^\{"format":"team-account-backup"/)
  })

  test('written to standard output has the bytes of a file', async () => {
    const { stdout } = await runCli(source, ['backup', '-'])
    expect(stdout).toMatch(/^\{"format":"team-account-backup","version":1,"encryption":null\}\n/)
  })
})
