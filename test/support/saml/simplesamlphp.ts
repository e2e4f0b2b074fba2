import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { exitStatusOf } from '../processes/exit-status.ts'
import { reservePort } from '../processes/port.ts'
import { waitFor } from '../service/wait.ts'
import type { Signer } from './signer.ts'

const site = '/usr/share/simplesamlphp/www'

/** Whether SimpleSAMLphp, an identity provider in PHP, is installed with what it needs. */
export const hasSimpleSamlPhp =
  existsSync(site) && spawnSync('php', ['-r', 'exit(class_exists("DOMDocument") ? 0 : 1);'], { stdio: 'ignore' }).status === 0

const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'

/** Runs SimpleSAMLphp until the end of the test, with one user, `ada` with the password `lovelace`. */
export async function startSimpleSamlPhp({ key, certificate }: Signer) {
  const folder = mkdtempSync(path.join(tmpdir(), 'team-account-simplesamlphp-'))
  const port = reservePort()
  const origin = `http://127.0.0.1:${port.port}`
  for (const name of ['metadata', 'data', 'session']) mkdirSync(path.join(folder, name))
  const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text)
  const phpOf = (value: unknown): string => `json_decode(${JSON.stringify(JSON.stringify(value)).replaceAll('$', '\\$')}, true)`
  const settings = {
    baseurlpath: `${origin}/`,
    certdir: `${folder}/`,
    datadir: `${folder}/data/`,
    tempdir: `${folder}/data`,
    loggingdir: `${folder}/`,
    secretsalt: 'a salt of this test',
    timezone: 'UTC',
    'auth.adminpassword': 'not the default',
    'logging.handler': 'file',
    'logging.logfile': 'log',
    'enable.saml20-idp': true,
    'module.enable': { exampleauth: true },
    'session.phpsession.savepath': `${folder}/session`,
    'session.cookie.secure': false,
    'metadata.sources': [{ type: 'flatfile', directory: `${folder}/metadata` }],
  }
  const user = { uid: ['ada'], mail: ['ada@example.com'], displayName: ['Ada Lovelace'], groups: ['staff', 'board'] }
  write('config.php', `<?php $config = ${phpOf(settings)};`)
  write('authsources.php', `<?php $config = ${phpOf({ users: { 0: 'exampleauth:UserPass', 'ada:lovelace': user } })};`)
  const nameId = { class: 'saml:AttributeNameID', attribute: 'uid', Format: persistent }
  const hosted = { host: '__DEFAULT__', privatekey: 'key.pem', certificate: 'certificate.pem', auth: 'users', authproc: { 3: nameId } }
  write('metadata/saml20-idp-hosted.php', `<?php $metadata['__DYNAMIC:1__'] = ${phpOf(hosted)};`)
  write('key.pem', key)
  write('certificate.pem', `-----BEGIN CERTIFICATE-----\n${certificate.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`)
  write('metadata/saml20-sp-remote.php', '<?php')
  port.release()
  const child = spawn('php', ['-S', `127.0.0.1:${port.port}`, '-t', site], {
    env: { PATH: process.env['PATH'], SIMPLESAMLPHP_CONFIG_DIR: folder },
    stdio: 'ignore',
  })
  const ended = exitStatusOf(child)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  const metadata = () => fetch(`${origin}/saml2/idp/metadata.php`).then((response) => response.text())
  await waitFor(async () => {
    if (child.exitCode !== null) throw new Error(`SimpleSAMLphp ended with status ${child.exitCode}`)
    return metadata().then(
      () => true,
      () => false,
    )
  })
  return {
    origin,
    metadata,
    /** Makes a service known, by what its own metadata say. */
    trust: (entityId: string, acsUrl: string) =>
      write(
        'metadata/saml20-sp-remote.php',
        `<?php $metadata[${phpOf(entityId)}] = ${phpOf({ AssertionConsumerService: acsUrl, NameIDFormat: persistent })};`,
      ),
    log: () => readFileSync(path.join(folder, 'log'), 'utf8'),
  }
}
