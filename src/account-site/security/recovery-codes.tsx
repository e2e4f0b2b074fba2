import { securityPath } from '../../web/page-paths.ts'
import { CopyButton } from '../../web/components/copy-button.tsx'
import type { ResultPage } from '../framework/form.ts'

/** Shows new recovery codes, which cannot be shown again. */
export const recoveryCodesPage = (codes: readonly string[]): ResultPage => ({
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
        <CopyButton targetId="recovery-codes">Copy all codes</CopyButton>
      </p>
      <p>
        <a href={securityPath}>I have kept them</a>
      </p>
    </section>
  ),
})
