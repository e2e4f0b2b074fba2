import { z } from 'zod'
import { StrongAddress } from '../../web/components/address.tsx'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { passwordScript } from '../../web/components/forms/field.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { confirmAccountPath, securityPath } from '../../web/page-paths.ts'
import { readReturnAddress, returnParameter } from '../../web/return-address.ts'
import { form } from '../framework/form.ts'
import type { ResultPage } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { ConfirmAccountOptionsDocument, ProveAccountDocument, RequestAccountProofDocument } from '../generated/operations.ts'
import { AnotherAccount } from '../mail-links/another-account.tsx'
import { clearLinkSecret, linkSecretSubject, savedLinkSecret, landingPath, loadLink } from '../mail-links/opened-link.ts'
import { clearReturnAddress, saveReturnAddress, savedReturnAddress } from '../mail-links/link-return-address.ts'
import { ProviderLinks } from '../providers/provider-links.tsx'
import { passkeyScripts } from '../security/passkey-form.tsx'
import { hasFormDraft } from '../serving/form-draft.tsx'
import { addressOrName, ConfirmationFields, confirmationForms } from './confirm.tsx'
import { leadFormsToClient } from './requesting-client.ts'

const kind = 'PROVE_ACCOUNT'

/** Opens the rest of the account to a session for which only the identity providers of teams vouch. */
export const confirmAccount = page({
  path: confirmAccountPath,
  title: 'Confirm it’s you',
  scripts: [...passkeyScripts, passwordScript],
  document: ConfirmAccountOptionsDocument,
  // The user may have confirmed it already in another tab.
  load: (ctx) => (ctx.person?.signIns?.hasOwnProof === true && ctx.query.has(returnParameter) ? readReturnAddress(ctx) : undefined),
  forms: {
    ...confirmationForms,
    mail: form({
      fields: z.object({}),
      document: RequestAccountProofDocument,
      variables: () => ({}),
      onSuccess({ requestAccountProof: { email } }, ctx) {
        saveReturnAddress(ctx)
        return mailSent(email)
      },
    }),
  },
  async view({ viewer: { hasPassword, passkeyConfirmation, proofProviders, proofAddress } }, ctx) {
    await leadFormsToClient(ctx)
    const hasOwnWay = hasPassword || passkeyConfirmation != null
    const isManaged = ctx.person?.signIns?.isLimited === false
    return (
      <section>
        <p>
          You are signed in as <StrongAddress>{addressOrName(ctx)}</StrongAddress> through the identity provider of a team. To open your
          other teams and the settings of your account, confirm that it is you. Afterwards, you return to the page where you were.
        </p>
        {hasFormDraft(ctx) && <p>What you entered is kept. Afterwards, check the form and submit it.</p>}
        <ConfirmationFields ctx={ctx} hasPassword={hasPassword} passkeyConfirmation={passkeyConfirmation} />
        <ProviderLinks providers={proofProviders} returnTo={readReturnAddress(ctx)} isUsual={!hasOwnWay} />
        {proofAddress != null && (
          <>
            <p>
              Your account has no password and no passkey. We can send a link to <StrongAddress>{proofAddress}</StrongAddress> instead.
            </p>
            <Form name="mail">
              <Buttons>
                <Button>Send a link</Button>
              </Buttons>
            </Form>
          </>
        )}
        {!hasOwnWay && proofProviders.length === 0 && proofAddress == null && (
          <p>
            Your account has no password, passkey or verified email address that could confirm it.{' '}
            {isManaged ? (
              <>
                Add one on the page <a href={securityPath}>Security</a> first.
              </>
            ) : (
              'Sign out, and sign in again as you usually do.'
            )}
          </p>
        )}
        <p>
          <a href="/">Cancel</a>
        </p>
      </section>
    )
  },
})

const mailSent = (email: string): ResultPage => ({
  title: 'Check your email',
  content: (
    <p>
      We sent a link to <StrongAddress>{email}</StrongAddress>. Open it in this browser within an hour.
    </p>
  ),
})

/** The page that the link in that email opens. */
export const confirmAccountByLink = page({
  path: landingPath[kind],
  title: 'Confirm it’s you',
  load: loadLink(kind),
  formSubject: linkSecretSubject(kind),
  forms: {
    confirm: form({
      fields: z.object({}),
      document: ProveAccountDocument,
      variables: (_, { cookies }) => ({ input: { token: savedLinkSecret(cookies, kind) } }),
      renewsSession: true,
      onSuccess(_, ctx) {
        const returnTo = savedReturnAddress(ctx)
        clearReturnAddress(ctx)
        clearLinkSecret(ctx.cookies, kind)
        return { notice: 'Your other teams and your account are open in this browser now.', path: returnTo }
      },
    }),
  },
  async view({ email, isOwn }, ctx) {
    if (!isOwn) return <AnotherAccount ctx={ctx} />
    await leadFormsToClient(ctx, savedReturnAddress(ctx))
    return (
      <section>
        <p>
          This opens the whole account of <StrongAddress>{email}</StrongAddress> in this browser: all its teams and its settings. Continue
          only if you requested this.
        </p>
        <Form name="confirm">
          <Buttons>
            <Button>Confirm it’s me</Button>
            <a class="button second" href="/">
              Cancel
            </a>
          </Buttons>
        </Form>
      </section>
    )
  },
})
