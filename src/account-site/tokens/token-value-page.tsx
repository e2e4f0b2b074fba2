import { Name } from '../../web/components/address.tsx'
import type { ResultPage } from '../framework/form.ts'
import { OneTimeSecret } from '../one-time-secret.tsx'

interface CreatedToken {
  token: { name: string }
  value: string
}

/** Shows the value of a token once. */
export const tokenValuePage = ({ token, value }: CreatedToken, path: string): ResultPage => ({
  title: 'Copy your token',
  content: (
    <OneTimeSecret
      intro={
        <>
          This is the value of <Name>{token.name}</Name>. Copy it now:
        </>
      }
      secret={value}
      next={{ path, label: 'Done' }}
    >
      <p>Treat this token like a password. Store it in a password manager or a secret store.</p>
    </OneTimeSecret>
  ),
})
