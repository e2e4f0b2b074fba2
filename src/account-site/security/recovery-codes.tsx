import { twoFactorPath } from '../../web/page-paths.ts'
import { CopyButton } from '../../web/components/copy-button.tsx'
import type { ResultPage } from '../framework/form.ts'

/** Shows new recovery codes, which cannot be shown again. */
export const recoveryCodesPage = (codes: readonly string[]): ResultPage => ({
  title: 'Save your recovery codes',
  content: (
    <section>
      <p>
        Use a recovery code to sign in if you lose your phone or the device with your passkey. Each code works once. Keep the codes in a
        safe place, for example your password manager. <strong>You cannot see them again.</strong>
      </p>
      <ul class="recovery-codes" id="recovery-codes">
        {codes.map((code) => (
          <li>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p class="buttons">
        <a class="button second" download="recovery-codes.txt" href={buildFileUrl(codes)}>
          Download codes
        </a>
        <CopyButton targetId="recovery-codes">Copy all codes</CopyButton>
      </p>
      <p>
        <a class="button" href={twoFactorPath}>
          Done
        </a>
      </p>
    </section>
  ),
})

/** Shows the recovery codes after two-factor authentication was turned on. */
export const turnedOn = (codes: readonly string[]): ResultPage => ({
  ...recoveryCodesPage(codes),
  notice: 'Two-factor authentication is on.',
})

/** Returns a text file as a `data:` URL. It works without JavaScript, and the codes need no URL of their own. */
const buildFileUrl = (codes: readonly string[]): string => `data:text/plain;charset=utf-8,${encodeURIComponent(`${codes.join('\n')}\n`)}`
