import type { ComponentChildren } from 'preact'
import { CopyButton } from '../../web/components/copy-button.tsx'
import { Name } from '../../web/components/name.tsx'
import type { ResultPage } from '../framework/form.ts'

interface SecretPageProps {
  clientId: string
  name: string
  secret: string
  /** Where the page of the app continues. A fragment of the URL of the form would not leave the secret. */
  path: string
  /** About the previous secret. */
  children?: ComponentChildren
}

/** The page that shows the secret of an app once. It is the response to the form, so that no URL contains the secret. */
export const secretPage = ({ clientId, name, secret, path, children }: SecretPageProps): ResultPage => ({
  title: 'Copy the client secret',
  content: (
    <section>
      <p>
        <Name>{name}</Name> authenticates with this secret. Copy it to the configuration of your server now:{' '}
        <strong>it is not shown again.</strong>
      </p>
      <dl>
        <dt>Client ID</dt>
        <dd>
          <code id="client-id">{clientId}</code>
        </dd>
        <dt>Client secret</dt>
        <dd>
          <code class="secret" id="value">
            {secret}
          </code>
        </dd>
      </dl>
      <div class="buttons copying">
        <CopyButton targetId="value">Copy secret</CopyButton>
      </div>
      {children}
      <p>
        <a class="button" href={path}>
          Continue to the app
        </a>
      </p>
    </section>
  ),
})
