-- DropIndex
DROP INDEX "external_identities_social_subject_key";

-- AlterTable
ALTER TABLE "external_identities" ADD COLUMN     "issuer" TEXT NOT NULL DEFAULT '';

-- CreateIndex
CREATE UNIQUE INDEX "external_identities_social_issuer_subject_key" ON "external_identities"("social", "issuer", "subject");
