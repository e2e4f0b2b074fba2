import { FoldedSection } from '../../../../web/components/forms/folded-section.tsx'
import { EntraGuide } from './entra-directory.tsx'
import { OktaGuide } from './okta-directory.tsx'

/** How the directories that most organizations use are set up. `url` is what the administrator enters there. */
export const DirectoryGuides = ({ url }: { url: string }) => (
  <>
    <FoldedSection id="entra" title="Set up Microsoft Entra ID">
      <EntraGuide url={url} />
    </FoldedSection>
    <FoldedSection id="okta" title="Set up Okta">
      <OktaGuide url={url} />
    </FoldedSection>
  </>
)
