-- AlterTable
ALTER TABLE "support_sessions" ADD COLUMN     "user_id" UUID,
ALTER COLUMN "team_id" DROP NOT NULL;

-- AddForeignKey
ALTER TABLE "support_sessions" ADD CONSTRAINT "support_sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE NOT VALID;

-- A support session is that of a team or of an account.
ALTER TABLE "support_sessions" ADD CONSTRAINT "support_sessions_of_one" CHECK (num_nonnulls("team_id", "user_id") = 1) NOT VALID;
