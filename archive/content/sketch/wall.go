package sketch

import (
	"strings"

	"github.com/varve-archive/varve/archive/content/visible"
)

// wallPhrases are what pages say, in lower case, that did not show their content: errors, bot checks, demands for
// scripts, redirects, and refusals.
var wallPhrases = strings.Split(strings.TrimSpace(`
something went wrong
something’s gone wrong
something's gone wrong
an error occurred
an error has occurred
error occurred
unexpected error
application error
server error
service unavailable
temporarily unavailable
currently unavailable
bad gateway
gateway time-out
gateway timeout
try again later
technical difficulties
technical problem
under maintenance
down for maintenance
taking longer than
taking a while
failed to load
unable to load
could not be loaded
couldn't load
schiefgelaufen
schief gelaufen
fehler ist aufgetreten
ist ein fehler
technischer fehler
vorübergehend nicht
wartungsarbeiten
später erneut
erreur est survenue
erreur s'est produite
erreur s’est produite
erreur inattendue
réessayer plus tard
réessayez plus tard
en maintenance
indisponible
algo salió mal
algo ha salido mal
ha producido un error
ha ocurrido un error
ocurrió un error
en mantenimiento
verificato un errore
qualcosa è andato storto
andato storto
in manutenzione
algo deu errado
ocorreu um erro
em manutenção
iets misgegaan
iets mis gegaan
fout opgetreden
ging iets mis
in onderhoud
coś poszło nie tak
wystąpił błąd
przerwa techniczna
что-то пошло не так
произошла ошибка
технические работы
щось пішло не так
сталася помилка
технічні роботи
خطایی رخ داد
مشکلی پیش آمد
出错了
发生错误
發生錯誤
エラーが発生
問題が発生
メンテナンス
오류가 발생
having trouble loading
having some trouble
be back soon
be right back
upstream connect error
no healthy upstream
backend fetch failed
web server is down
origin is unreachable
database connection
database error
connection timed out
moved permanently
isn't available right now
isn’t available right now
not available right now
not available in your
isn't available in your
isn’t available in your
unavailable for legal reasons
request unsuccessful
requested url was rejected
error code:
checking your browser
checking if the site connection is secure
just a moment
one moment, please
verify you are human
verify that you are human
verifying you are human
you're human
you’re human
are you human
are you a robot
robot or human
automated requests
automated access
suspicious activity
you are a human
are a robot
not a robot
not a bot
unusual traffic
unusual activity
security check
security verification
human verification
access denied
access to this page has been denied
you have been blocked
you've been blocked
you’ve been blocked
request blocked
request has been blocked
attention required
pardon our interruption
ddos protection
captcha
403 forbidden
too many requests
rate limit
before you continue
you must log in to
you must be logged in
you need to log in
you need to be logged in
log in to continue
login to continue
sign in to continue
log in to see
log in to view
sign in to see
sign in to view
sign up to see
log in or sign up
log into facebook
log in to facebook
facebook helps you connect
log in to instagram
log in to see photos and videos
sign up to see photos and videos
join linkedin
new to linkedin
agree & join
happening now join
people on x are the first to know
people on twitter are the first to know
log in to x
log in to twitter
log in to tiktok
log in to reddit
log in to pinterest
confirm you’re not a bot
confirm you're not a bot
melde dich an, um
du musst dich anmelden
zum fortfahren anmelden
connectez-vous pour continuer
vous devez vous connecter
inicia sesión para continuar
debes iniciar sesión
accedi per continuare
devi accedere
faça login para continuar
inicie sessão para continuar
log in om verder te gaan
je moet inloggen
zaloguj się, aby
войдите, чтобы
войдите на сайт
чтобы продолжить, войдите
необходимо авторизоваться
увійдіть, щоб
giriş yapmalısınız
devam etmek için giriş
đăng nhập để tiếp tục
masuk untuk melanjutkan
přihlaste se
請先登入
请先登录
登录后
登入後
続行するにはログイン
ログインしてください
로그인이 필요
로그인 후
تسجيل الدخول للمتابعة
وارد شوید
zugriff verweigert
sicherheitsüberprüfung
kein roboter
accès refusé
pas un robot
vérification de sécurité
acceso denegado
no eres un robot
no soy un robot
accesso negato
non sei un robot
non sono un robot
acesso negado
não é um robô
não sou um robô
toegang geweigerd
geen robot
odmowa dostępu
nie jestem robotem
доступ запрещ
доступ ограничен
вы не робот
доступ заборонено
ви не робот
دسترسی غیرمجاز
访问被拒绝
拒绝访问
人机验证
アクセスが拒否
접근이 거부
enable javascript
enable cookies
javascript is disabled
javascript is required
javascript to run this app
requires javascript
javascript enabled
without javascript
browser is not supported
unsupported browser
browser not supported
outdated browser
update your browser
upgrade your browser
javascript aktivieren
aktivieren sie javascript
javascript ist deaktiviert
activer javascript
activez javascript
javascript est désactivé
habilita javascript
habilitar javascript
habilite javascript
activar javascript
active javascript
attiva javascript
attivare javascript
abilita javascript
abilitare javascript
ative o javascript
habilite o javascript
schakel javascript in
javascript inschakelen
włącz javascript
włącz obsługę javascript
включите javascript
увімкніть javascript
启用 javascript
启用javascript
javascriptを有効
redirecting
being redirected
not redirected
you will be redirected
page has moved
object moved
weitergeleitet
weiterleitung
êtes redirigé
être redirigé
redirection en cours
redirigiendo
será redirigido
reindirizza
redirecionando
redirecionado
doorgestuurd
doorverwezen
przekierow
перенаправл
正在跳转
リダイレクト
`), "\n")

// waitPhrases are what pages say that wait for a reader to log in, or for themselves to load. Pages that show their
// content say it too, so it counts only if hardly anything else is said.
var waitPhrases = strings.Split(strings.TrimSpace(`
log in
login
sign in
sign up to continue
loading
please wait
are you 18
18 or older
verify your age
wird geladen
bitte warten
anmelden
einloggen
chargement
veuillez patienter
se connecter
connectez-vous
connexion
cargando
iniciar sesión
inicia sesión
por favor, espere
caricamento
accedi
attendere
carregando
entrar
aguarde
laden…
laden...
inloggen
ładowanie
zaloguj
proszę czekać
загрузка
войти
войдите
завантаження
увійти
увійдіть
در حال بارگذاری
ورود
加载中
登录
請稍候
读取中
読み込み中
ログイン
로그인
로딩
`), "\n")

const (
	// A wall has up to maxWall bytes of text besides furniture, one that only waits up to maxWait.
	maxWall = 1000
	maxWait = 300
)

// saysWall reports whether a short text says that it is not the page.
func saysWall(text string) bool {
	if len(text) > maxWall {
		return false
	}
	text = strings.ToLower(text)
	return containsAny(text, wallPhrases) || len(text) <= maxWait && containsAny(text, waitPhrases)
}

func containsAny(text string, phrases []string) bool {
	for _, p := range phrases {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}

// ownText returns up to maxWall bytes of the text that is not furniture, or more than maxWall if there is more.
func ownText(buf []byte, t *visible.Text) []byte {
	for i := range t.Blocks {
		if b := &t.Blocks[i]; !b.Region.Furniture() {
			if len(buf)+len(b.Text) > maxWall {
				return append(buf, make([]byte, maxWall+1)...)
			}
			buf = append(append(buf, b.Text...), '\n')
		}
	}
	return buf
}
