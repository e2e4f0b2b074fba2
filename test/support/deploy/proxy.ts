import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import https from 'node:https'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { projectFolder } from '../../../schema/core/project-folder.ts'
import { exitStatusOf } from '../processes/exit-status.ts'
import { reservePort } from '../processes/port.ts'
import { waitFor } from '../service/wait.ts'

/** The host name in the examples. */
export const host = 'accounts.example.com'

/** A program in front of the service, configured by an example in `deploy/proxy`. */
export interface Proxy {
  program: string
  /** Writes the configuration into `folder`. Returns the arguments of the program. */
  configure(example: string, folder: string, ports: { http: number; https: number; services: readonly number[] }): string[]
  /** Takes a host out, or all hosts in again, by its configuration, which the program reads after `SIGHUP`. Absent if it finds out by health checks. */
  setDown?(folder: string, port: number | null): void
}

const read = (name: string) => readFileSync(path.join(projectFolder, 'deploy', 'proxy', name), 'utf8')

export const nginx: Proxy = {
  program: 'nginx',
  configure(example, folder, ports) {
    const name = path.join(folder, 'certificate')
    const subject = ['-subj', `/CN=${host}`, '-keyout', `${name}.key`, '-out', `${name}.pem`]
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...subject], { stdio: 'ignore' })
    const server = example
      .replaceAll(/(listen (?:\[::\]:)?)(80|443)\b/g, (_, listen: string, port) => `${listen}${port === '80' ? ports.http : ports.https}`)
      .replaceAll(`/etc/ssl/${host}`, name)
      .replace(/server 127\.0\.0\.1:3000([^;]*);/, (_, options: string) =>
        ports.services.map((port) => `server 127.0.0.1:${port}${options};`).join(' '),
      )
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    const main = `pid ${folder}/pid; daemon off; user root; worker_processes 1; error_log stderr; events {} http { access_log off; ${temporary.join(' ')} ${server} }`
    writeFileSync(path.join(folder, 'nginx.conf'), main)
    return ['-e', 'stderr', '-p', folder, '-c', path.join(folder, 'nginx.conf')]
  },
  setDown(folder, port) {
    const file = path.join(folder, 'nginx.conf')
    const all = readFileSync(file, 'utf8').replaceAll(' down;', ';')
    writeFileSync(file, port === null ? all : all.replace(new RegExp(`(server 127\\.0\\.0\\.1:${port}[^;]*);`), '$1 down;'))
  },
}

export const caddy: Proxy = {
  program: 'caddy',
  configure(example, folder, ports) {
    const global = `{\nadmin off\nlocal_certs\nskip_install_trust\nstorage file_system ${folder}\nhttp_port ${ports.http}\nhttps_port ${ports.https}\n}\n`
    const site = example.replace('127.0.0.1:3000', ports.services.map((port) => `127.0.0.1:${port}`).join(' '))
    // A service in the process of a test has no `/readyz`.
    const checked = ports.services.length > 1 ? site : site.replace(/^\s*health_.*\n/gm, '')
    writeFileSync(path.join(folder, 'Caddyfile'), global + checked)
    return ['run', '--config', path.join(folder, 'Caddyfile'), '--adapter', 'caddyfile']
  },
}

export const isInstalled = ({ program }: Pick<Proxy, 'program'>): boolean => spawnSync(program, ['version']).error === undefined

/** Runs the proxy in front of the service, or of several, until the end of the test. Returns a function that sends a request through it. */
export async function startProxy(proxy: Proxy, file: string, ...services: number[]) {
  const folder = mkdtempSync(path.join(tmpdir(), 'team-account-proxy-'))
  const [plain, secure] = [reservePort(), reservePort()]
  const line = proxy.configure(read(file), folder, { http: plain.port, https: secure.port, services })
  plain.release()
  secure.release()
  const child = spawn(proxy.program, line, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: folder } })
  const output = text(child.stderr)
  const ended = exitStatusOf(child)
  onTestFinished(async () => {
    // Caddy would wait for the end of the event stream, and nginx would leave its worker.
    child.kill(proxy === nginx ? 'SIGTERM' : 'SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  const open = (address: string, headers: Record<string, string> = {}, body?: string) =>
    new Promise<{ status: number; headers: Record<string, unknown>; stream: NodeJS.ReadableStream }>((resolve, reject) => {
      const method = body === undefined ? 'GET' : 'POST'
      const options = { method, headers: { host, ...headers }, servername: host, rejectUnauthorized: false, agent: false }
      https
        .request(`https://127.0.0.1:${secure.port}${address}`, options, (response) =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, stream: response }),
        )
        .on('error', reject)
        .end(body)
    })
  await waitFor(async () => {
    if (child.exitCode !== null) throw new Error(await output)
    return open('/sign-in').then(
      ({ status, stream }) => stream.resume() && status === 200,
      () => false,
    )
  })
  /** Sends no requests to the service at a port from now on, or to all services again. */
  async function setDown(port: number | null): Promise<void> {
    if (!proxy.setDown) return
    proxy.setDown(folder, port)
    child.kill('SIGHUP')
    // As an operator does, who sees no requests in the log of the host any more.
    await pause(1000)
  }
  return { open, setDown }
}
