import { spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import packaged from '@sparticuz/chromium'
import { chromium } from 'playwright-core'
import { projectFolder } from '../../schema/core/project-folder.ts'

interface Screenshot {
  file: string
  page: string
  colorScheme?: 'dark'
  /** Of the window, in pixels; the height is two thirds. Small where a gradient makes the file large, large for a long page. */
  width?: number
  /** Text that appears when a script has rendered the page. */
  waitFor?: string
}

/** The sign-in of the demo client, which leads to the consent page. */
const consent = `/login/oauth/authorize?${new URLSearchParams({
  response_type: 'code',
  client_id: 'demo-app',
  redirect_uri: 'http://127.0.0.1:8080/callback',
  scope: 'openid teams acct:team:members:read',
  state: 'screenshot',
  code_challenge_method: 'S256',
  code_challenge: createHash('sha256').update(randomBytes(32)).digest('base64url'),
})}`

const screenshots: Screenshot[] = [
  { file: 'overview.png', page: '/teams/acme' },
  { file: 'consent.png', page: consent, width: 1560 },
  {
    file: 'api-reference.png',
    page: '/api/docs#tag/members/GET/v1/teams/{teamSlug}/members',
    colorScheme: 'dark',
    waitFor: 'Test Request',
  },
]

/** Starts a service with the demo team and takes the screenshots of the README. */
export async function takeReadmeScreenshots(folder: string): Promise<void> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'screenshots-'))
  const service = spawn(process.execPath, ['dist/main.js'], {
    cwd: projectFolder,
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => service.once('exit', resolve))
  try {
    const { url, email, password } = await readFirstStart(service)
    const browser = await chromium.launch({ executablePath: await packaged.executablePath(), args: ['--no-sandbox', '--disable-gpu'] })
    for (const { file, page: address, colorScheme = 'light', width = 1260, waitFor } of screenshots) {
      const context = await browser.newContext({
        colorScheme,
        viewport: { width, height: Math.round((width * 2) / 3) },
        deviceScaleFactor: 1,
      })
      const page = await context.newPage()
      await page.goto(`${url}/sign-in`)
      await page.getByLabel('Email address').fill(email)
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.goto(url + address)
      if (waitFor) await page.getByText(waitFor).first().waitFor()
      await page.screenshot({ path: path.join(folder, file), animations: 'disabled' })
      await context.close()
    }
    await browser.close()
  } finally {
    service.kill('SIGTERM')
    await ended
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Reads the URL and the credentials of the demo team from the output of the first start. */
async function readFirstStart(
  service: ChildProcessByStdio<null, Readable, null>,
): Promise<{ url: string; email: string; password: string }> {
  let output = ''
  for await (const line of createInterface({ input: service.stdout })) {
    output += `${line}\n`
    const [, url] = /Account site +(http\S+?)\/?\n/.exec(output) ?? []
    const [, email, password] = /signs in as (\S+) with the password (\S+) /.exec(output) ?? []
    if (url && email && password) return { url, email, password }
  }
  throw new Error(`unexpected output of the service: ${output}`)
}
