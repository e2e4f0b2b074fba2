import { securityPath } from '../addresses.ts'
import { CopyButton } from '../copy-button.tsx'
import type { Shown } from '../declaration.ts'

/** The page that shows recovery codes, this once. */
export const recoveryCodesPage = (codes: readonly string[]): Shown => ({
  title: 'Recovery codes',
  content: (
    <section>
      <p>
        Each of these codes stands in for your second factor once, should you lose your phone, or the device that has your passkey. Print
        them, or keep them where you keep your passwords. <strong>They are shown this once and never again.</strong>
      </p>
      <ul class="recovery-codes" id="recovery-codes">
        {codes.map((code) => (
          <li>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p>
        <CopyButton of="recovery-codes">Copy all codes</CopyButton>
      </p>
      <p>
        <a href={securityPath}>I have kept them</a>
      </p>
    </section>
  ),
})
