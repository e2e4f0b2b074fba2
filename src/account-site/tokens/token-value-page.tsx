import { CopyButton } from '../../web/components/copy-button.tsx'
import type { ResultPage } from '../framework/form.ts'
import { Name } from '../../web/components/name.tsx'

interface CreatedToken {
  token: { name: string }
  value: string
}

/** The page that shows a token's value once. It is the response to the form, so that no URL contains the value. */
export const tokenValuePage = ({ token, value }: CreatedToken, path: string): ResultPage => ({
  title: 'Copy the token now',
  content: (
    <section>
      <p>
        This is the value of <Name>{token.name}</Name>. Whoever has it may do what the token may: keep it where you keep passwords.
      </p>
      <p>
        <code class="secret" id="value">
          {value}
        </code>
      </p>
      <div class="buttons copying">
        <CopyButton targetId="value">Copy</CopyButton>
      </div>
      <p>
        <strong>It is shown this once and never again.</strong> Reloading this page would send the form again: that creates nothing and
        shows no value.
      </p>
      <p>
        <a href={path}>I have kept it: back to the tokens</a>
      </p>
    </section>
  ),
})
