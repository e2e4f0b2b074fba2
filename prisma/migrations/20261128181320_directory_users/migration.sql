-- DropForeignKey
ALTER TABLE "scim_users" DROP CONSTRAINT "scim_users_user_id_fkey";

-- DropIndex
DROP INDEX "scim_users_user_id_idx";

-- AlterTable
ALTER TABLE "invitations" ADD COLUMN     "directory_user_id" UUID;

-- AlterTable
ALTER TABLE "scim_users" ADD COLUMN     "account_id" UUID;

-- Until now each user of a directory had an account, whose identifier was that of the user.
UPDATE "scim_users" SET "account_id" = "user_id";

-- CreateIndex
CREATE INDEX "scim_users_account_id_idx" ON "scim_users"("account_id");

-- CreateIndex
CREATE UNIQUE INDEX "scim_users_team_id_account_id_key" ON "scim_users"("team_id", "account_id");

-- AddForeignKey
ALTER TABLE "scim_users" ADD CONSTRAINT "scim_users_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
