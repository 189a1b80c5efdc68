// Japanese sentences of refusals that pages show, by the sentence of the interface. `{}` is a value; values are written
// in the same order, or by their number from 1 (`{2}`).
export const refusalsJa: Readonly<Record<string, string>> = {
  // Signing in, forms, tokens.
  "Sign in first": "先にログインしてください",
  "Sign in to see requests": "リクエストを見るにはログインしてください",
  "The session has ended: sign in again": "セッションが終了しました。もう一度ログインしてください",
  "The access token is not valid": "アクセストークンが無効です",
  "The access token lacks the scope {}": "アクセストークンに許可 {} がありません",
  "A Bearer access token is needed": "アクセストークンが必要です",
  "This needs an access token that allows everything": "すべての操作を許可したアクセストークンが必要です",
  "A person must be signed in for this: a token is not enough":
    "これには本人のログインが必要です。トークンでは足りません",
  "The form was not sent from our own page: open the page and repeat":
    "このサイトのページから送信されたフォームではありません。ページを開いてやり直してください",
  "The form has expired, or was not sent from our own page: open the page again and repeat":
    "フォームの有効期限が切れたか、このサイトのページから送信されたものではありません。ページを開き直してやり直してください",
  "X-CSRFToken is not that of the session: open the page again":
    "フォームの確認用の値がセッションのものではありません。ページを開き直してください",
  "The body cannot be read: {}": "送信内容を読み取れません：{}",
  "The body is not JSON": "送信内容がJSONではありません",
  "The form was not sent in parts": "フォームが正しい形式で送信されていません",
  "The form has more than {} bytes": "フォームが {} バイトを超えています",
  "The form broke off, or came too slowly": "フォームの送信が途切れたか、遅すぎました",
  "The form has no file": "フォームにファイルがありません",
  "Account {} does not exist": "アカウント {} はありません",
  "Account {} is disabled": "アカウント {} は無効です",
  "The account has {} tokens and clients already": "このアカウントにはすでに {} 個のトークンとクライアントがあります",
  'Token or client "{}" does not exist': "トークンまたはクライアント「{}」はありません",
  "The token that signed in is the last of a chain of {}: sign in by a link or at your organisation to make one more":
    "ログインに使ったトークンは {} 個の連なりの最後です。新しく作るには、リンクまたは所属機関でログインしてください",
  "The token that signed in lacks the scope {}": "ログインに使ったトークンに許可 {} がありません",
  "The token that signed in ends at {}: one made with it ends no later":
    "ログインに使ったトークンは {} に終わります。それより後まで有効なトークンは作れません",
  "A token needs a name of 1 to {} characters": "トークンの名前は1文字以上 {} 文字以内で入力してください",
  'Unknown scope "{}"; there are {}': "許可「{}」はありません。あるのは {} です",
  "Name at least one scope of {}": "許可を少なくとも一つ選んでください：{}",
  'The token\'s last day "{}" is not a future day': "有効期限「{}」は今後の日付ではありません",
  'You have no token "{}"': "トークン「{}」はありません",
  'You have no session "{}"': "セッション「{}」はありません",
  "No OpenID provider is set": "OpenIDプロバイダーが設定されていません",
  "The OpenID provider does not answer": "OpenIDプロバイダーが応答しません",
  // The own account.
  "Another account is linked to the ORCID iD {}": "ORCID iD {} は別のアカウントに連携されています",
  "The name must have 1 to {} characters, on one line": "名前は1文字以上 {} 文字以内、一行で入力してください",
  'The language "{}" is not one of {}': "言語「{}」は選べません。選べるのは {} です",
  'The ORCID iD "{}" is not valid: check its digits': "ORCID iD「{}」は正しくありません。数字を確認してください",
  'Type "{}" to confirm': "確認のため「{}」と入力してください",
  "The account has drafts, such as {}: discard or transfer them first":
    "アカウントに下書き（{} など）があります。先に破棄または移譲してください",
  'The account is the only owner of the community "{}"': "コミュニティ「{}」の所有者はこのアカウントだけです",
  "The account is the last active system administrator": "このアカウントは最後のシステム管理者です",
  "This link was used already, or its time has ended: ask for a new one":
    "このリンクはすでに使われたか、有効期限が切れています。新しいリンクをお求めください",
  '"{}" is not a mail address': "「{}」はメールアドレスではありません",
  "Only addresses of these domains may register: {}": "登録できるのは次のドメインのアドレスです：{}",
  "There is no such link: sign in and choose your notices":
    "このリンクはありません。ログインして通知を設定してください",
  "There is no such feed": "このフィードはありません",
  'language "{}" is not allowed: {}': "言語「{}」は選べません。選べるのは {} です",
  '"{}" is not a kind of notice: {}': "「{}」という種類の通知はありません。あるのは {} です",
  '{} "{}" is not allowed: {}': "{} に「{}」は選べません。選べるのは {} です",
  // Programs that people allow something.
  "You have allowed {} programs something already: end one first":
    "すでに {} 個のプログラムを許可しています。先に一つを終了してください",
  "What was allowed has ended meanwhile: ask again": "許可がその間に終了しました。もう一度お試しください",
  'Client "{}" does not exist any more': "クライアント「{}」はもうありません",
  "Allow at least one of the things that were asked for": "求められた許可を少なくとも一つ選んでください",
  'You allowed nothing by "{}"': "「{}」に許可したものはありません",
  "The request has {} characters; the most is {}": "要求は {} 文字ですが、最大は {} 文字です",
  "The decision is allow or refuse": "許可するか拒否するかを選んでください",
  // Pages that are not there.
  "There is no such page": "このページはありません",
  "There is no such site map": "このサイトマップはありません",
  "There is no such suggestion": "この候補はありません",
  'There is no item "{}"': "アイテム「{}」はありません",
  'There is no field "{}"': "項目「{}」はありません",
  "There are {} pages of versions, not {}": "版の一覧は {} ページまでで、{} ページはありません",
  "Items {} and {} are not versions of one record": "アイテム {} と {} は同じ記録の版ではありません",
  "Item {} was not published": "アイテム {} は公開されていません",
  '"{}" has {} pages, not {}': "「{}」は {} ページまでで、{} ページはありません",
  'There is no folder "{}"': "フォルダー「{}」はありません",
  "There are {} pages of files, not {}": "ファイルの一覧は {} ページまでで、{} ページはありません",
  "A page of hits is named by its number: page": "検索結果のページは番号で指定してください：page",
  "There is no person {}": "人物 {} は登録されていません",
  "The entry of this person was deleted. The items are still there.":
    "この人物の登録は削除されました。アイテムは残っています。",
  "This person is now person {}": "この人物は人物 {} に統合されました",
  "Specified author does not exist.": "指定された著者はありません。",
  "Index {} has no feed": "インデックス {} にフィードはありません",
  "Index not found: {}.": "インデックス {} はありません。",
  "Index {} does not exist": "インデックス {} はありません",
  // Activities and requests.
  "Only an account can begin an activity": "アクティビティを始められるのはアカウントだけです",
  'Activity "{}" does not exist': "アクティビティ「{}」はありません",
  'Permission denied: activity "{}" is not yours to decide': "アクティビティ「{}」を判断する権限がありません",
  'Activity "{}" does not wait for its depositor': "アクティビティ「{}」は登録者の操作を待っていません",
  'Activity "{}" has ended already': "アクティビティ「{}」はすでに終了しています",
  "Activity status is not Approval.": "アクティビティは承認待ちではありません。",
  "Activity {} has no such file": "アクティビティ {} にこのファイルはありません",
  "Nothing waits in activity {}": "アクティビティ {} で待っているものはありません",
  "user: account {} may not decide about it": "アカウント {} はこれを判断できません",
  "Account {} has taken this task": "このタスクはアカウント {} が担当しています",
  "Choose tasks of one community, or of one step of one workflow":
    "一つのコミュニティ、または一つのワークフローの同じ段階のタスクを選んでください",
  "A comment has at most {} characters, this one has {}": "コメントは {} 文字までです。これは {} 文字あります",
  "The comment is empty": "コメントが空です",
  "Error for action '{}': {}": "操作「{}」はできません：{}",
  'There is no action "{}"': "操作「{}」はありません",
  "You may not put items into index {}": "インデックス {} にアイテムを登録する権限がありません",
  "Permission denied: Cannot access index {}.": "インデックス {} を扱う権限がありません。",
  "Permission denied: your role does not manage indexes": "あなたの権限ではインデックスを管理できません",
  "No workflow takes deposits of item type {}": "アイテムタイプ {} の登録を受け付けるワークフローはありません",
  "The draft is published without a workflow": "この下書きはワークフローを通らずに公開されます",
  // Items and records.
  "Item {} does not exist": "アイテム {} はありません",
  "Item {} was deleted": "アイテム {} は削除されました",
  "Item {} is being edited": "アイテム {} は編集中です",
  "Item {} is not published": "アイテム {} は公開されていません",
  "Item {} has no draft": "アイテム {} に下書きはありません",
  "Item {} has no draft to publish": "アイテム {} に公開できる下書きはありません",
  'Item {} has no file "{}"': "アイテム {} にファイル「{}」はありません",
  "Item {} is at revision {}, not {}": "アイテム {} の改訂は {} です。{} ではありません",
  "Item {} is in no index: name one": "アイテム {} はどのインデックスにもありません。一つ指定してください",
  "Item {} is not the latest version: item {} is": "アイテム {} は最新版ではありません。最新版はアイテム {} です",
  "You may not read item {}": "アイテム {} を見る権限がありません",
  'You may not read the file "{}" of item {}': "アイテム {2} のファイル「{1}」を見る権限がありません",
  "You may not change item {}": "アイテム {} を変更する権限がありません",
  "You may not delete item {}": "アイテム {} を削除する権限がありません",
  "You may not restore item {}": "アイテム {} を復元する権限がありません",
  "The note has {} characters, at most {} are kept": "メモは {} 文字ありますが、保存できるのは {} 文字までです",
  "Cannot restore item {}: it is not deleted": "アイテム {} は削除されていないため、復元できません",
  "Cannot restore item {}: its content was erased": "アイテム {} の内容は消去されているため、復元できません",
  "Cannot file item {} into index {}: there is no such index":
    "アイテム {} をインデックス {} に登録できません。そのインデックスはありません",
  "A draft needs an editor: sign in": "下書きには編集者が必要です。ログインしてください",
  "A new version of item {} is being prepared as item {}":
    "アイテム {} の新しい版が、アイテム {} として準備されています",
  "An item is in at most {} indexes, not {}": "アイテムが属せるインデックスは {} 個までです。{} 個は多すぎます",
  "An item needs an owner: name the account": "アイテムには所有者が必要です。アカウントを指定してください",
  "Item type {} does not exist": "アイテムタイプ {} はありません",
  "Item type {} cannot be read": "アイテムタイプ {} を読み取れません",
  "Item type {} for records does not exist": "レコード用のアイテムタイプ {} はありません",
  "The record is being changed by another activity. Try again when that has ended.":
    "このレコードは別の処理で変更中です。終わってからもう一度お試しください。",
  "Revision id provided({}) doesn't match record's one({})": "送られた改訂 {} は、レコードの改訂 {} と一致しません",
  "The draft was changed meanwhile: {} two new values":
    "下書きがその間に変更されました。両方で変更された項目があります（{}）",
  "A record is shared with {} users and groups at most.": "レコードを共有できるのは {} の利用者とグループまでです。",
  "A record has {} links at most.": "レコードのリンクは {} 個までです。",
  "The link answers a request for closed files: it can only be revoked.":
    "このリンクは非公開ファイルの申請への回答です。取り消すことだけができます。",
  // Requests for closed files.
  "Many requests wait for this record: ask again tomorrow":
    "このレコードには多くの申請が届いています。明日もう一度申請してください",
  "You asked for these files already": "これらのファイルはすでに申請しています",
  "You asked for files of many records today: ask again tomorrow":
    "今日はすでに多くの申請を送っています。明日もう一度申請してください",
  "Sign in to ask for closed files": "非公開ファイルを申請するにはログインしてください",
  "This record takes no requests for its files": "このレコードはファイルの利用申請を受け付けていません",
  "There is nothing to ask for: no file of this record is closed to you":
    "申請できるものはありません。非公開のファイルはありません",
  "There is nothing to ask for any more": "申請できるものはもうありません",
  "There is no such request, or none that you may see": "その申請はないか、見ることができません",
  "The files are open to the person by now": "ファイルはすでに申請者に公開されています",
  "The record is not there any more": "レコードはもうありません",
  "The person may not read the record any more": "申請者はレコードを閲覧できなくなりました",
  "The record is being offered already: cancel that offer first":
    "このレコードの移譲はすでに申し出られています。先にそれを取り消してください",
  "You offer {} records already: cancel one first":
    "すでに {} 件のレコードの移譲を申し出ています。先にいずれかを取り消してください",
  "A record is offered at most {} times in a day": "1つのレコードの移譲を申し出られるのは1日に {} 回までです",
  "The offer was {} before": "この申し出はすでに処理されています（{}）",
  "The record has another owner by now": "このレコードの所有者はすでに変わっています",
  "The document holds {} works, one is imported at a time": "文書には {} 件が含まれますが、一度に取り込めるのは1件です",
  "The document holds {} works, at most {} are shown": "文書には {} 件が含まれますが、表示できるのは {} 件までです",
  "The document holds no work": "文書に取り込めるものがありません",
  "{} do not know the DOI {}": "DOI {2} は {1} に登録されていません",
  "No service is set that knows the metadata of DOIs": "DOIのメタデータを調べるサービスが設定されていません",
  "Too many DOIs are asked for at the moment": "現在、DOIの照会が混み合っています",
  // Sentences of the records interface.
  "A validation error occurred.": "入力内容に誤りがあります。",
  "Invalid querystring parameters.": "アドレスの指定に誤りがあります。",
  "Unable to decode JSON data in request body.": "送信されたJSONを読み取れません。",
  "Permission denied.": "権限がありません。",
  "The persistent identifier does not exist.": "この識別子は存在しません。",
  "The persistent identifier is not registered.": "この識別子は登録されていません。",
  "Not found.": "見つかりません。",
  "Record deleted": "レコードは削除されました",
  "Record not found": "レコードが見つかりません",
  "Record in unexpected deletion status.": "レコードの削除状態が、この操作に合っていません。",
  "You cannot publish a draft with an open review request. Please cancel the review request first.":
    "審査中の下書きは公開できません。先に審査の依頼を取り消してください。",
  "You cannot delete a draft with an open review. Please cancel the review first.":
    "審査中の下書きは削除できません。先に審査を取り消してください。",
  "Missing uploaded files. To disable files for this record please mark it as metadata-only.":
    "ファイルがありません。ファイルを付けない場合は、メタデータのみとしてください。",
  "One or more files have not completed their transfer, please wait.":
    "転送が終わっていないファイルがあります。お待ちください。",
  "Missing data for required field.": "必須の項目です。",
  "Field may not be null.": "空にはできません。",
  "Invalid input type.": "入力の形式が正しくありません。",
  "Unknown field.": "この項目はありません。",
  "Not a valid string.": "文字列ではありません。",
  "Not a valid number.": "数値ではありません。",
  "Not a valid integer.": "整数ではありません。",
  "Not a valid boolean.": "「はい」か「いいえ」で指定してください。",
  "Not a valid list.": "一覧の形式ではありません。",
  "Must be one of: {}.": "次のいずれかを選んでください：{}。",
  "Shorter than minimum length {}.": "{} 文字以上で入力してください。",
  "Longer than maximum length {}.": "{} 文字以内で入力してください。",
  // Files.
  "The file upload transfer failed, please try again.": "ファイルを転送できませんでした。もう一度お試しください。",
  "Bucket is locked for modifications.": "公開されたファイルは変更できません。",
  "Please remove all files first.": "先にすべてのファイルを削除してください。",
  "Files support must be enabled.": "ファイルを付けられるようにしてください。",
  "The record has no files.": "このレコードにファイルはありません。",
  "No files to upload.": "送信するファイルがありません。",
  "You must first delete all files to set the record to be metadata-only.":
    "メタデータのみにするには、先にすべてのファイルを削除してください。",
  "File size limit exceeded.": "ファイルが大きすぎます。",
  "Multipart file transfer requires parts.": "分割して送るには、分割数が必要です。",
  "Multipart file transfer requires file size.": "分割して送るには、ファイルの大きさが必要です。",
  "Multipart file transfer to local storage requires part_size.": "分割して送るには、部分の大きさが必要です。",
  "Size of this part must be equal to part_size sent in multipart initialization.":
    "部分の大きさが、最初に指定された大きさと異なります。",
  "Part number is higher than total parts sent in multipart initialization.":
    "部分の番号が、最初に指定された数を超えています。",
  "Can not set content for multipart file, use the parts instead.":
    "分割して送るファイルは、部分ごとに送信してください。",
  "The parts of this file are sent to the addresses in its links.":
    "このファイルの部分は、リンクにあるアドレスへ送信してください。",
  "Domain not allowed": "許可されていないドメインです",
  "Not a valid URL.": "正しいURLではありません。",
  "Transfer metadata must be a dictionary.": "転送の情報の形式が正しくありません。",
  "Not a valid mapping type.": "形式が正しくありません。",
  "The bytes are not those that Content-Digest was made from: send them again.":
    "届いた内容が送信元のものと異なります。もう一度送信してください。",
  "Content-Digest cannot be read: write sha-256=:BASE64:, with colons around it.":
    "Content-Digest を読み取れません。sha-256=:BASE64: の形で書いてください。",
  "File with key {} already exists.": "ファイル「{}」はすでにあります。",
  "Record '{}' has no file '{}'.": "レコード {} にファイル「{}」はありません。",
  "Too many files are being received at the moment": "現在、ファイルの受け取りが混み合っています",
  "Not enough disk space for this file at the moment": "現在、このファイルを保存する空きがありません",
  // Communities.
  "You cannot create a review for an already published record.": "公開済みのレコードの審査は依頼できません。",
  "You cannot create a review for a new version of a published record.":
    "公開済みのレコードの新しい版の審査は依頼できません。",
  "An open review cannot be deleted.": "進行中の審査は削除できません。",
  "Review for draft not found": "下書きの審査が見つかりません",
  "Submission to this community is only allowed to community members.":
    "このコミュニティに提出できるのはメンバーだけです。",
  "You asked to join this community several times today: ask again tomorrow.":
    "このコミュニティへの参加は今日すでに何度も申し込まれています。明日あらためて申し込んでください。",
  "This community does not take requests to join it.": "このコミュニティは参加の申し込みを受け付けていません。",
  "A public record cannot be included in a restricted community.":
    "公開のレコードを非公開のコミュニティに加えることはできません。",
  "Community not found.": "コミュニティが見つかりません。",
  "The record is already included in this community.": "このレコードはすでにこのコミュニティに含まれています。",
  "There is already an open inclusion request for this community.":
    "このコミュニティへの追加は、すでに申し込まれています。",
  "Cannot set community as the default. The record has not been added to the community.":
    "レコードが含まれていないコミュニティを既定にはできません。",
  "You cannot update this event.": "この記録は変更できません。",
  "You cannot delete this event.": "この記録は削除できません。",
  "comment was deleted": "コメントは削除されました",
  "Accepted at once: this community takes submissions of this kind without a review.":
    "すぐに承認されました。このコミュニティは、この種の提出を審査なしで受け入れます。",
  "Could not execute the action": "この操作は現在できません",
  "No such action available": "この操作はありません",
  "Permission denied: only administrators of the repository or of a community may do this":
    "これを行えるのは、リポジトリまたはコミュニティの管理者だけです",
  "You do not have permission for this Author ID's communities: {}.":
    "この著者のコミュニティを扱う権限がありません：{}。",
  "There is no such saved search": "この保存した検索はありません",
  "There is no such link: sign in and change your saved searches":
    "このリンクはありません。ログインして、保存した検索を変更してください",
  "An account has at most {} saved searches: delete one": "保存できる検索は{}件までです。どれかを削除してください",
  "Other searches are being saved at this moment: try again": "ほかの検索を保存中です。もう一度お試しください",
  "query of {} characters is too long: at most {}": "検索条件が{}文字で長すぎます。{}文字までです",
  "You cannot manage this record.": "この登録を管理する権限がありません。",
  // Communities.
  "The community has no logo.": "このコミュニティにはロゴがありません。",
  "The logo must be a PNG, JPEG, WebP or GIF picture.": "ロゴはPNG、JPEG、WebP、GIFのいずれかの画像にしてください。",
  "The logo has at most {} bytes.": "ロゴは {} バイトまでです。",
  "A community with this identifier already exists.": "この短い名前のコミュニティはすでにあります。",
  "A new ID value is required for the renaming.": "今と異なる短い名前を入力してください。",
  "The identifier should contain only letters, numbers, or dashes.":
    "短い名前に使えるのは英小文字、数字、ハイフンだけです。",
  'Lower case letters, digits and hyphens: "{}" would do.': "たとえば「{}」なら使えます。",
  "The ID must not be an Universally Unique IDentifier (UUID).": "UUIDは短い名前に使えません。",
  "Field cannot be blank or longer than {} characters.": "1文字以上 {} 文字以内で入力してください。",
  "Field cannot be longer than {} characters.": "{} 文字以内で入力してください。",
  "An existing id or a name must be present.": "組織の名前またはIDを入力してください。",
  "Invalid value {}.": "「{}」は選べません。",
  "A community must have at least one owner.": "コミュニティには所有者が少なくとも一人必要です。",
  "Invalid member specified.": "そのアカウントはないか、メンバーにできません。",
  "You cannot change your own role.": "自分の役割は変更できません。",
  "You can only set public visibility on your own membership.": "ほかの人への表示は、本人だけが始められます。",
  "Missing fields 'role' and/or 'visible'.": "変更する内容を選んでください。",
  "One of the submitted entity is already a member or pending a decision. The entire action was cancelled.":
    "すでにメンバーであるか、招待または申し込みの判断を待っています。",
  "A community has {} members at most.": "コミュニティのメンバーは {} 人までです。",
  "There is 1 request open for this community. Please, resolve it before deleting this community.":
    "未処理のリクエストが1件あります。削除する前に処理してください。",
  "There are {} requests open for this community. Please, resolve all of them before deleting this community.":
    "未処理のリクエストが {} 件あります。削除する前に処理してください。",
  "The record has been deleted.": "削除されました。",
  // Static pages.
  "Write the page in English or in Japanese.": "英語か日本語でページを書いてください。",
  "A text needs a title in its language.": "本文と同じ言語のタイトルを入力してください。",
  "A title needs a text in its language.": "タイトルと同じ言語の本文を入力してください。",
  "The text has too many parts to be shown.": "本文の要素が多すぎて表示できません。",
  "There are at most {} pages, deleted ones too: rewrite one":
    "ページは削除したものも含めて {} 件までです。どれかを書き直してください",
  "The page is being changed: try again": "ページは変更中です。もう一度試してください",
  "Must be a whole number from 1 to 999, not {}.": "1から999までの整数を入力してください（入力値：{}）。",
  // Values of items, viewers of files.
  "There is no item under this value": "この値のアイテムはありません",
  'There is no file "{}" in the archive': "アーカイブに「{}」というファイルはありません",
  'No viewer shows "{}"': "「{}」を表示できる機能はありません",
};
