import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { exitStatusOf } from '../processes/exit-status.ts'
import { reservePort } from '../processes/port.ts'
import { waitFor } from '../service/wait.ts'

const program = '/usr/sbin/apache2'
const modules = '/usr/lib/apache2/modules'

/** Whether Apache and mod_auth_openidc, a relying party written in C, are installed. */
export const hasAuthOpenidc =
  existsSync(path.join(modules, 'mod_auth_openidc.so')) && spawnSync(program, ['-v'], { stdio: 'ignore' }).error === undefined

/**
 * Runs Apache until the end of the test. `configuration` returns further lines of its configuration. The site has one page, `/page`.
 */
export async function startApache(configuration: (origin: string) => readonly string[]) {
  const folder = mkdtempSync(path.join(tmpdir(), 'team-account-apache-'))
  const port = reservePort()
  const origin = `http://127.0.0.1:${port.port}`
  // As root, Apache serves as another user.
  chmodSync(folder, 0o777)
  const errors = path.join(folder, 'errors')
  const site = path.join(folder, 'site')
  mkdirSync(site)
  writeFileSync(path.join(site, 'page'), 'a protected page')
  const names = ['mpm_prefork', 'authn_core', 'authz_core', 'authz_user', 'headers', 'auth_openidc']
  const lines = [
    ...names.map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`),
    `ServerRoot ${folder}`,
    'User www-data',
    // Its one process would wait on an idle connection.
    'KeepAlive Off',
    'ServerName 127.0.0.1',
    `Listen 127.0.0.1:${port.port}`,
    `PidFile ${folder}/pid`,
    `ErrorLog ${errors}`,
    `DocumentRoot ${site}`,
    `<Directory ${site}>`,
    '  Require all granted',
    '</Directory>',
    'OIDCCryptoPassphrase correct-horse',
    'OIDCCacheType file',
    `OIDCCacheDir ${folder}`,
    ...configuration(origin),
  ]
  writeFileSync(path.join(folder, 'apache.conf'), `${lines.join('\n')}\n`)
  port.release()
  const child = spawn(program, ['-f', path.join(folder, 'apache.conf'), '-X'], { stdio: 'ignore' })
  const ended = exitStatusOf(child)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  await waitFor(async () => {
    if (child.exitCode !== null) throw new Error(readFileSync(errors, 'utf8'))
    return fetch(origin).then(
      () => true,
      () => false,
    )
  })
  return origin
}
