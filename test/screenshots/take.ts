import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import packaged from '@sparticuz/chromium'
import { chromium } from 'playwright-core'

// `npm run screenshots` starts a service with the demo team and takes the screenshots of the README.

const screenshots = [
  { file: 'members.png', page: '/teams/acme/members', colorScheme: 'light', width: 1100, height: 700 },
  { file: 'invoices.png', page: '/teams/acme/invoices', colorScheme: 'light', width: 1100, height: 900 },
  { file: 'new-token.png', page: '/tokens/new', colorScheme: 'dark', width: 1100, height: 900 },
  { file: 'security.png', page: '/security', colorScheme: 'light', width: 390, height: 800 },
] as const

const folder = import.meta.dirname
const dataDir = await mkdtemp(path.join(tmpdir(), 'screenshots-'))
const service = spawn(process.execPath, ['dist/main.js'], {
  cwd: path.join(folder, '..', '..'),
  env: { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const ended = new Promise((resolve) => service.once('exit', resolve))
try {
  const { url, email, password } = await readFirstStart()
  const browser = await chromium.launch({ executablePath: await packaged.executablePath(), args: ['--no-sandbox', '--disable-gpu'] })
  for (const { file, page: address, colorScheme, width, height } of screenshots) {
    const context = await browser.newContext({ colorScheme, viewport: { width, height }, deviceScaleFactor: 1 })
    const page = await context.newPage()
    await page.goto(`${url}/sign-in`)
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.goto(url + address)
    await page.screenshot({ path: path.join(folder, process.argv[2] ?? '.', file) })
    await context.close()
  }
  await browser.close()
} finally {
  service.kill('SIGTERM')
  await ended
  await rm(dataDir, { recursive: true, force: true })
}

/** Reads the URL and the credentials of the demo team from the output of the first start. */
async function readFirstStart(): Promise<{ url: string; email: string; password: string }> {
  let output = ''
  for await (const line of createInterface({ input: service.stdout })) {
    output += `${line}\n`
    const [, url] = /Account site +(http\S+?)\/?\n/.exec(output) ?? []
    const [, email, password] = /signs in as (\S+) with the password (\S+) /.exec(output) ?? []
    if (url && email && password) return { url, email, password }
  }
  throw new Error(`unexpected output of the service: ${output}`)
}
