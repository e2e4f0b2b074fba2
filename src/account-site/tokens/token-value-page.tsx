import { CopyButton } from '../../web/components/copy-button.tsx'
import type { ResultPage } from '../framework/form.ts'
import { Name } from '../../web/components/name.tsx'

interface CreatedToken {
  token: { name: string }
  value: string
}

/** The page that shows a token's value once. It is the response to the form, so that no URL contains the value. */
export const tokenValuePage = ({ token, value }: CreatedToken, path: string): ResultPage => ({
  title: 'Copy your token',
  content: (
    <section>
      <p>
        This is the value of <Name>{token.name}</Name>. Copy it now: <strong>it is not shown again.</strong>
      </p>
      <p>
        <code class="secret" id="value">
          {value}
        </code>
      </p>
      <div class="buttons copying">
        <CopyButton targetId="value">Copy</CopyButton>
      </div>
      <p>Treat this token like a password. Store it in a password manager or a secret store.</p>
      <p>
        <a class="button" href={path}>
          Done
        </a>
      </p>
    </section>
  ),
})
