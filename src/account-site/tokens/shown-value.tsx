import { CopyButton } from '../copy-button.tsx'
import type { Shown } from '../declaration.ts'
import { Name } from '../page.tsx'

interface NewValue {
  token: { name: string }
  value: string
}

/** The page that shows a token's value, this once: it answers the form, so the value is in no address. */
export const valuePage = ({ token, value }: NewValue, path: string): Shown => ({
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
        <CopyButton of="value">Copy</CopyButton>
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
