"""Answers of models that refuse to read a page, recognised by components of their phrases.

A model refuses in many words: it apologises, says that it cannot read, see or help, that the image is blank or
blurred, that there is no text, or that it is an AI. Each language has a pattern for each of these components,
and a combination of components makes a refusal. No full sentences are listed, so other phrasings are found too.
"""

# ruff: noqa: E501  (patterns are easier to read in one line, and other scripts have letters like Latin ones)

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import NamedTuple

_MOST_CHARACTERS = 800
"""A longer answer is not a refusal."""
_FEW_CHARACTERS = 250
"""An apology and an inability are sufficient in an answer of at most this length."""
_SENTENCE_END = re.compile(r"[.!?;](?=\s|$)|[。！？；؟]")
_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "`": "'", "´": "'", "ʼ": "'"})


class _Phrases(NamedTuple):
    """The components of refusals in one language, as regular expressions of normalised text.

    Args:
        apology: Regret.
        inability: The negation of an ability.
        reading: What the model was asked to do.
        image: What it was asked to read.
        unreadable: Why that cannot be read.
        no_text: There is no text.
        machine: The model speaks about itself.

    """

    apology: str
    inability: str
    reading: str
    image: str
    unreadable: str
    no_text: str
    machine: str


_LANGUAGES = {
    "en": _Phrases(
        r"\bsorry\b|apologi[sz]e|\bapologies\b|unfortunately|\bregret\b|\bafraid\b",
        r"\bcan'?t\b|\bcan ?not\b|\bcouldn'?t\b|\bcould not\b|\bunable\b|\bnot able\b|\bwon'?t\b|\binability\b|\bimpossible\b"
        r"|\bnot possible\b|\b(?:do|did|does)(?:n'?t| not)\b|\bfail(?:ed|ure)?\b|\bnot (?:capable|permitted|allowed)\b"
        r"|\bdecline\b|\bmust refuse\b|\btoo (?:difficult|hard)\b",
        r"\bread(?:ing)?\b|transcri|\bextract|\bsee\b|\bview\b|\baccess|\bprocess|\bassist|\bhelp\b|identif|recogni[sz]|decipher"
        r"|discern|\bmake out\b|\bdetect|\bprovide\b|determin|interpret|analy[sz]|\bopen\b|\bfulfil|\bcompl(?:y|ete)\b|\bfind\b"
        r"|\bgenerate\b|\bperform\b|\bcontain\b|\bocr\b|\bdo (?:that|this)\b",
        r"\bimages?\b|\bpictures?\b|\bphotos?\b|photograph|\bscans?\b|\bdocuments?\b|\bpage\b|\bfiles?\b|\btext\b|handwrit"
        r"|\bcontents?\b|\battachment|\brequest\b|\btranscription\b|\bscreenshot|\btranscribe (?:this|that|it)\b",
        r"\bblank\b|\bempty\b|\bblurr?(?:y|ed)\b|\bout of focus\b|illegible|unreadable|not (?:legible|readable|clear|visible)"
        r"|\btoo (?:dark|small|low|faint|faded|poor|light|noisy|distorted)\b|\blow[- ](?:resolution|quality)\b|\bunclear\b"
        r"|\bcorrupt|\bpoor quality\b|\binsufficient\b",
        r"\b(?:no|any|without)(?: \w+){0,2} (?:text|content|writing|words|characters|handwriting)\b(?!ual)|\bnothing to (?:transcribe|read|extract)\b"
        r"|\bno transcription\b|\btext (?:is )?not (?:found|visible|available)\b|\bnothing (?:is )?(?:visible|legible|readable)\b"
        r"|\bno (?:image|picture|photo|file|attachment|document) (?:is |was |has been |seems to be )?(?:provided|attached|uploaded|found|included|received|given)\b"
        r"|\bplease (?:re-?upload|upload|attach|re-?send|send|provide|share) (?:\w+ ){1,3}(?:image|picture|photo|file|scan|document)\b"
        r"|^\W*(?:\w+ )?illegible\W*$",
        r"\bas an? (?:\w+ )?(?:ai|artificial intelligence|language model|assistant)\b|\blanguage model\b|\bi am an ai\b|\bi'm an ai\b"
        r"|\bai (?:model|assistant)\b|\bcontent polic(?:y|ies)\b|\bcopyright(?:ed)? (?:material|content|text)\b",
    ),
    "de": _Phrases(
        r"\bleid\b|entschuldig|\bleider\b|\bbedau[e]?re\b|\bverzeihung\b",
        r"\bkann\b.{0,120}\bnicht|\bkann (?:ich )?(?:\w+ ){0,4}(?:nicht|kein)|\bnicht (?:in der lage|möglich|fähig)|\bunmöglich\b|\bkonnte\b.{0,120}\bnicht"
        r"|\bkein\w*\b|\bnicht imstande\b|\bdarf\b.{0,60}\bnicht|\bnicht\b.{0,40}\b(?:kann|können|möglich)\b",
        r"\blesen\b|transkri|\bauslesen\b|\bextrahier|\berkenn|\bsehen\b|\bzugreifen\b|\bhelfen\b|\bunterstützen\b|\bentziffer"
        r"|\bverarbeit|\banzeigen\b|\böffnen\b|\bidentifizier|\bwiedergeben\b|\berfüllen\b|\bbearbeiten\b|\banalysier|\berfassen\b",
        r"\bbild|\bfoto|\bscan|\bdokument|\bseite\b|\bdatei|\btext\b|\bhandschrift|\binhalt|\banfrage\b|\babbildung|\baufnahme\b",
        r"\bleer\b|\bunscharf\b|\bverschwommen|\bunleserlich|\bunlesbar|\bnicht (?:lesbar|leserlich|erkennbar|sichtbar)|\bzu (?:dunkel|klein|unscharf|hell|undeutlich)"
        r"|\bschlechte\w* qualität|\bgeringe\w* auflösung|\bauflösung\b.{0,20}\b(?:gering|niedrig)|\bbeschädigt",
        r"\bkein(?:e|en|erlei)?(?: \w+){0,2} (?:text|inhalt|schrift|wörter|zeichen)\b|\bnichts zu (?:lesen|transkribieren|erkennen)|\btext nicht (?:lesbar|vorhanden|erkennbar)",
        r"\bals (?:\w+ )?(?:ki|sprachmodell|künstliche intelligenz)\b|\bsprachmodell|\bki[- ](?:modell|assistent)",
    ),
    "fr": _Phrases(
        r"\bdésolée?\b|\bexcus|\bmalheureusement\b|\bregrett|\bnavrée?\b",
        r"\bne (?:peux|puis|peut|pouvons|parviens|suis|parvient)\b|\bn'(?:est|ai|arrive)\b.{0,30}\bpas\b|\bpas (?:en mesure|capable|possible|à même)|\bimpossible\b|\bincapable\b|\baucune?\b"
        r"|\bne .{1,30} pas\b",
        r"\blire\b|transcri|\bextrai|\bvoir\b|\bvois\b|\baccéder\b|\baider\b|\bassister\b|\bdéchiffr|\breconnaî|\bidentifi|\btraiter\b|\banalyser\b|\bouvrir\b"
        r"|\bfournir\b|\bdistinguer\b|\brépondre\b|\bcontient\b|\bsatisfaire\b",
        r"\bimages?\b|\bphotos?\b|\bscan|\bnumérisation|\bdocument|\bpage\b|\bfichier|\btexte\b|\bécriture\b|\bcontenu\b|\bdemande\b|\bmanuscrit",
        r"\bvide\b|\bvierge\b|\bfloue?\b|\billisible|\btrop (?:sombre|petite?|floue?|claire?|pâle)|\bpas (?:lisible|visible|claire?)|\bmauvaise qualité|\bfaible résolution"
        r"|\brésolution\b.{0,20}\b(?:faible|basse)|\bcorrompu",
        r"\b(?:aucun|pas de|sans)(?: \w+){0,2} (?:texte|contenu|écriture|caractère|mot)\b|\brien à (?:transcrire|lire)|\bd'aucun texte",
        r"\ben tant qu[e' ].{0,20}(?:ia|intelligence|modèle)\b|\bmodèle de langage|\bintelligence artificielle\b|\bassistant ia\b",
    ),
    "es": _Phrases(
        r"\blo siento\b|\bdisculp|\blamento\b|\blamentablemente\b|\bdesafortunadamente\b|\bperdón\b|\bperdona",
        r"\bno (?:puedo|puede|podemos|soy capaz|me es posible|es posible|pude|logro|he podido|consigo|veo|hay|contiene|se)\b|\bimposible\b|\bincapaz\b|\bningún",
        r"\bleer\b|transcri|\bextra(?:er|cción)|\bver\b|\bveo\b|\bacceder\b|\bayudar|\basistir\b|\bdescifr|\breconoc|\bidentific|\bprocesar\b|\banalizar\b|\babrir\b"
        r"|\bproporcionar\b|\bdistinguir\b|\bdetect|\bcumplir\b|\bcontiene\b",
        r"\bimagen|\bfoto|\bescaneo|\bescaneado|\bdocumento|\bpágina|\barchivo|\btexto\b|\bescritura\b|\bcontenido\b|\bsolicitud\b|\bmanuscrito",
        r"\bvací[ao]\b|\ben blanco\b|\bborros[ao]|\bilegible|\bdemasiado (?:oscur|pequeñ|borros|clar)|\bno (?:es|está|son) (?:legible|visible|clar)|\bmala calidad|\bbaja (?:resolución|calidad)"
        r"|\bresolución\b.{0,20}\bbaja|\bdañad",
        r"\b(?:no hay|ningún|sin|no contiene|no se (?:ve|aprecia|detecta|observa|encuentra)\w*)(?: \w+){0,2} (?:texto|contenido|escritura|palabras|caracteres)\b|\bnada que (?:transcribir|leer)",
        r"\bcomo (?:un |una )?(?:\w+ )?(?:ia|inteligencia artificial|modelo)\b|\bmodelo de lenguaje|\basistente de ia\b",
    ),
    "it": _Phrases(
        r"\bmi dispiace\b|\bspiacente\b|\bscus[aio]\b|\bpurtroppo\b|\bsono desolat",
        r"\bnon (?:posso|può|riesco|sono in grado|è possibile|sono riuscit|ho potuto|vedo|contiene|c'è|ci sono|mi è)\b|\bimpossibile\b|\bincapace\b|\bnessun",
        r"\blegger|trascri|\bestra(?:rre|zione)|\bveder|\bvedo\b|\bacceder|\baiutar|\bassister|\bdecifr|\briconosc|\bidentific|\belabor|\banalizz|\baprire\b|\bfornire\b|\bcontiene\b"
        r"|\bdistinguer|\bsoddisfare\b",
        r"\bimmagin|\bfoto|\bscansion|\bdocumento\b|\bpagina\b|\bfile\b|\btesto\b|\bscrittura\b|\bcontenuto\b|\brichiesta\b|\bmanoscritt",
        r"\bvuot[ao]\b|\bbianca\b|\bsfocat|\billeggibil|\btroppo (?:scur|piccol|sfocat|chiar)|\bnon (?:è|sono) (?:leggibil|visibil|chiar)|\bscarsa qualità|\bbassa (?:risoluzione|qualità)"
        r"|\brisoluzione\b.{0,20}\bbassa|\bdanneggiat",
        r"\b(?:nessun|non c'è|senza|non contiene|non (?:si )?(?:vede|rileva)\w*)(?: \w+){0,2} (?:testo|contenuto|scrittura|parole|caratteri)\b|\bniente da (?:trascrivere|leggere)|\bnulla da (?:trascrivere|leggere)",
        r"\b(?:come|in quanto) (?:\w+ )?(?:ia|ai|intelligenza artificiale|modello)\b|\bmodello linguistico|\bassistente (?:ia|ai)\b",
    ),
    "pt": _Phrases(
        r"\bdesculp|\blamento\b|\binfelizmente\b|\bsinto muito\b|\bperdão\b",
        r"\bnão (?:posso|pode|consigo|sou capaz|é possível|foi possível|pude|estou|vejo|há|contém|me é|consegui)\b|\bimpossível\b|\bincapaz\b|\bnenhum",
        r"\bler\b|transcr|\bextra(?:ir|ção)|\bver\b|\bvejo\b|\bacessar|\baceder\b|\bajudar|\bauxiliar\b|\bdecifr|\breconhec|\bidentific|\bprocessar\b|\banalisar\b|\babrir\b|\bfornecer\b"
        r"|\bdistinguir\b|\batender\b|\bcontém\b",
        r"\bimagem|\bimagens|\bfoto|\bdigitaliza|\bdocumento|\bpágina|\barquivo|\bficheiro|\btexto\b|\bescrita\b|\bconteúdo\b|\bpedido\b|\bsolicitação\b|\bmanuscrito",
        r"\bvazi[ao]\b|\bem branco\b|\bborrad|\bdesfocad|\bilegíve|\bmuito (?:escur|pequen|borrad|clar)|\bnão (?:é|está|são) (?:legíve|visíve|níti|clar)|\b(?:má|baixa) (?:qualidade|resolução)"
        r"|\bresolução\b.{0,20}\bbaixa|\bdanificad",
        r"\b(?:nenhum|não há|sem|não contém|não (?:se )?(?:vê|detect|encontr)\w*)(?: \w+){0,2} (?:texto|conteúdo|escrita|palavras|caracteres)\b|\bnada (?:a|para) (?:transcrever|ler)",
        r"\bcomo (?:uma? )?(?:\w+ )?(?:ia|inteligência artificial|modelo)\b|\bmodelo de linguagem|\bassistente de ia\b",
    ),
    "nl": _Phrases(
        r"\bsorry\b|\bspijt\b|\bexcus|\bhelaas\b|\bverontschuldig",
        r"\bkan\b.{0,80}\b(?:niet|geen)\b|\bniet (?:in staat|mogelijk)|\bonmogelijk\b|\bkon\b.{0,80}\bniet\b|\bgeen\b|\bniet\b.{0,40}\bkan\b",
        r"\blezen\b|transcri|\bextraher|\bzien\b|\bzie\b|\bhelpen\b|\bontcijfer|\bherken|\bverwerk|\bopenen\b|\bidentific|\bweergeven\b|\bonderscheid|\banalyser|\bvoldoen\b|\btoegang\b|\bbevat\b",
        r"\bafbeelding|\bfoto|\bbeeld\b|\bscan|\bdocument|\bpagina\b|\bbestand|\btekst\b|\bhandschrift|\binhoud\b|\bverzoek\b",
        r"\bleeg\b|\blege\b|\bblanco\b|\bwazig|\bonscherp|\bonleesba|\bte (?:donker|klein|wazig|licht|vaag)|\bniet (?:leesbaar|zichtbaar|duidelijk)|\bslechte kwaliteit|\blage resolutie|\bbeschadigd",
        r"\bgeen(?: \w+){0,2} (?:tekst|inhoud|schrift|woorden|tekens)\b|\bniets te (?:lezen|transcriberen)",
        r"\bals (?:een )?(?:ai|taalmodel|kunstmatige intelligentie)\b|\btaalmodel\b|\bai-(?:model|assistent)",
    ),
    "pl": _Phrases(
        r"\bprzepraszam\b|\bprzykro\b|\bniestety\b|\bwybacz",
        r"\bnie (?:mogę|jestem|moge|może|potrafię|udało|da się|można|widzę|zawiera|widać|ma)\b|\bniemożliw|\bbrak\b|\bżadn",
        r"\bodczyta|\bczyta|\bprzeczyta|transkry|\bprzepisa|\bwyodrębni|\bzobacz|\bwidz|\bpomóc|\brozpozna|\bprzetworz|\botworz|\bzidentyfik|\bodszyfr|\bdostęp|\bspełnić|\banaliz|\bzawiera",
        r"\bobraz|\bzdjęci|\bskan|\bdokument|\bstron|\bplik|\btekst|\bpism|\btreści?\b|\bfotografi|\bprośb",
        r"\bpust[aey]\b|\brozmazan|\bnieostr|\bnieczyteln|\bniewyraźn|\bzbyt (?:ciemn|mał|niewyraźn|jasn)|\bniska (?:jakość|rozdzielczość)|\bsłaba jakość|\bniskiej (?:jakości|rozdzielczości)|\buszkodzon|\bniewidoczn",
        r"\b(?:brak|nie ma|bez|żadnego|nie (?:widać|zawiera|wykryto|widzę))(?: \w+){0,2} (?:tekstu|treści|pisma|słów|znaków)\b",
        r"\bjako (?:\w+ )?(?:ai|sztuczna inteligencja|model)\b|\bmodel(?:em)? językow|\basystent(?:em)? ai\b",
    ),
    "cs": _Phrases(
        r"\bomlouvám\b|\bbohužel\b|\blituj[iu]\b|\bpromiňte\b|\bprepáčte\b|\bžiaľ\b|\bospravedlňujem\b",
        r"\bnemohu\b|\bnemůžu\b|\bnejsem schop|\bnelze\b|\bnení možné\b|\bnepodařilo\b|\bnevidím\b|\bneobsahuje\b|\bnedokáž|\bžádn|\bnemôžem\b|\bnie je možné\b|\bnedá sa\b",
        r"\bpřečíst\b|\bčíst\b|\bpřepsat\b|\bprepísať\b|\bprečítať\b|transkr|\bpomoci\b|\bpomôcť\b|\brozpozna|\bzpracovat\b|\botevřít\b|\bvidím\b|\bvidět\b|\bidentifik|\brozluštit\b|\bneobsahuje\b",
        r"\bobráz|\bfoto|\bsken|\bdokument|\bstrán|\bstran|\bsoubor|\btext\b|\btextu\b|\bpísm|\bobsah|\bpožadav",
        r"\bprázdn|\brozmazan|\bneostr|\bnečiteln|\bnečitateľn|\bpříliš (?:tmav|mal|rozmazan)|\bnízké? (?:kvalit|rozlišení)|\bpoškozen",
        r"\b(?:žádný|žiadny|bez|není|neobsahuje)(?: \w+){0,2} (?:text|textu|obsah|písmo)\b",
        r"\bjako (?:\w+ )?(?:ai|umělá inteligence|jazykový model)\b|\bjazykov\w+ model",
    ),
    "scandinavian": _Phrases(
        r"\btyvärr\b|\bursäkt|\bförlåt\b|\bdesværre\b|\bbeklag|\bundskyld|\bdessverre\b|\bunnskyld|\blei for\b|\bked af\b|\bledsen\b",
        r"\bkan (?:\w+ ){0,3}(?:inte|ikke|ikkje)\b|\binte möjligt\b|\bikke (?:muligt|mulig|i stand)\b|\bomöjligt\b|\bumulig|\binte\b.{0,20}\bkan\b|\bingen\b|\binget\b|\bingen\b|\bkunne ikke\b|\bkunde inte\b",
        r"\bläsa\b|\blæse\b|\blese\b|transkri|\bse\b|\bhjälpa\b|\bhjælpe\b|\bhjelpe\b|\btyda\b|\btyde\b|\bextraher|\bekstraher|\bidentifi|\böppna\b|\båbne\b|\båpne\b|\bgenkende\b|\bgjenkjenne\b|\binnehåller\b|\bindeholder\b",
        r"\bbild|\bbilled|\bbilde|\bfoto|\bskann|\bdokument|\bsida|\bside|\bfil\b|\btext|\btekst|\bhandstil|\bhåndskrift|\binnehåll|\bindhold|\binnhold",
        r"\btom\b|\btomt\b|\bblank|\bsuddig|\bsløret|\buskarp|\boskarp|\boläslig|\bulæselig|\buleselig|\bför (?:mörk|liten|suddig)|\bfor (?:mørk|lille|liten|uskarp)",
        r"\b(?:ingen|inget|utan|uden|uten)(?: \w+){0,2} (?:text|tekst|innehåll|indhold|innhold|skrift)\b",
        r"\bsom (?:en )?(?:ai|språkmodell|sprogmodel)\b|\bspråkmodell|\bsprogmodel",
    ),
    "ru": _Phrases(
        r"\bизвините\b|\bпростите\b|\bсожалени|\bсожалею\b|\bприношу извинения\b|\bвибачте\b|\bна жаль\b|\bперепрошую\b",
        r"\bне (?:могу|может|удалось|получается|в состоянии|способ|вижу|содержит|можу|вдалося|бачу|містить|удается|имею|получилось)|\bневозможно\b|\bнеможливо\b|\bнет\b|\bнемає\b|\bотсутству",
        r"\bпроч[еи]|\bчита|\bтранскри|\bраспозна|\bрасшифр|\bизвле|\bувидеть\b|\bвижу\b|\bпомочь\b|\bобработ|\bоткры|\bопредел|\bпереписать\b|\bпросмотр|\bвыполн|\bразобра|\bсодержит|\bдоступ|\bдопомогти\b|\bрозпізна",
        r"\bизображени|\bкартин|\bфото|\bскан|\bдокумент|\bстраниц|\bфайл|\bтекст|\bрукопис|\bпочерк|\bсодержим|\bзапрос|\bзображенн|\bсторінк|\bснимк|\bснимок",
        r"\bпуст(?:ое|ая|ой|ым|а)?\b|\bразмыт|\bнечётк|\bнечетк|\bнеразборчив|\bнечитаем|\bслишком (?:темн|тёмн|мал|мелк|размыт|светл)|\bплохо[ег]о? качеств|\bнизк(?:ое|ого|ая|им|ой) (?:качеств|разрешени)|\bповрежд|\bпорожн|\bнечітк",
        r"\b(?:нет|без|отсутствует|не (?:видно|содержит|обнаружен\w*|вижу)|немає)(?: \w+){0,2} (?:текст\w*|содержимо\w+|надпис\w+|слов)\b|\bтекст (?:отсутствует|не (?:обнаружен|найден|виден))",
        r"\bкак (?:\w+ )?(?:ии|искусственный интеллект|языковая модель)\b|\bязыков\w+ модел|\bмовн\w+ модел|\bшi\b",
    ),
    "tr": _Phrases(
        r"\büzgünüm\b|\bmaalesef\b|\bözür\b|\bne yazık ki\b",
        r"\w+(?:amıyor|emiyor|ama[dm]|eme[dm]|amam|emem|amaz|emez)\w*|\bmümkün değil|\bimkansız|\byok\b|\bgörünmüyor|\biçermiyor",
        r"\boku|\bgör|\byardım|\btranskri|\bçıkar|\bişle|\berişe|\btanı|\bçöz|\baç|\biçer|\byazıya",
        r"\bgörüntü|\bresim|\bresm|\bfotoğraf|\btarama|\bbelge|\bsayfa|\bdosya|\bmetin|\bmetn|\bel yazısı|\biçerik|\bistek|\bgörsel",
        r"\bboş\b|\bbulanık|\bokunaksız|\bokunamaz|\bçok (?:karanlık|küçük|bulanık|soluk)|\bdüşük (?:kalite|çözünürlük)|\bbozuk",
        r"\b(?:metin|yazı|içerik)(?: \w+){0,2} (?:yok|bulunmuyor|bulunamadı|görünmüyor|içermiyor)\b|\bherhangi bir (?:metin|yazı)",
        r"\byapay zek|\bdil modeli",
    ),
    "zh": _Phrases(
        r"抱歉|对不起|對不起|不好意思|遗憾|遺憾|很抱歉",
        r"无法|無法|不能|未能|不可以|没有办法|沒有辦法|沒辦法|没办法|做不到|没有|沒有|不支持|看不",
        r"读取|讀取|阅读|閱讀|识别|識別|辨识|辨識|辨认|辨認|转录|轉錄|转写|轉寫|查看|看到|看清|提取|帮助|幫助|协助|協助|处理|處理|访问|打开|打開|完成|提供|分析|解读|解讀|抄录|抄錄|读懂|满足",
        r"图像|圖像|图片|圖片|照片|影像|页面|頁面|文件|文档|文檔|文字|文本|内容|內容|扫描|掃描|请求|請求|手写|手寫|这张图|這張圖",
        r"空白|模糊|不清|难以辨认|難以辨認|无法辨认|太暗|太小|分辨率(?:太|过|較)?低|解析度(?:太|過)?低|损坏|損壞|质量(?:太|较)?(?:差|低)|无法看清",
        r"(?:没有|沒有|无|無|未(?:发现|發現|检测到|偵測到|找到)|不包含|不含)(?:任何|可见的?|可見的?|可读的?|可识别的?|可辨识的?|可辨認的?|可供转录的|明显的?|清晰的?)*(?:文字|文本|内容|內容|字符)",
        r"作为(?:一个|一名|一款)?.{0,6}(?:ai|人工智能|语言模型|助手)|作為(?:一個|一名)?.{0,6}(?:ai|人工智慧|語言模型|助手)|语言模型|語言模型|我是(?:一个|一個)?(?:ai|人工智能)",
    ),
    "ja": _Phrases(
        r"申し訳|すみません|ごめんなさい|残念ながら|恐れ入りますが|恐縮ですが|お詫び",
        r"できません|出来ません|できない|不可能|ありません|困難|できかねます|見えません|含まれていません|いたしかねます|読めません|読めない|できませんでした|わかりません|確認されません",
        r"読み取|読む|読め|読み|文字起こし|書き起こし|認識|判読|判別|抽出|見る|見え|確認|お手伝い|お答え|対応|処理|アクセス|解読|支援|提供|開く|含まれ|転写|翻刻",
        r"画像|写真|スキャン|文書|ページ|ファイル|テキスト|文字|手書き|内容|ご依頼|リクエスト|原稿|資料|イメージ|文章",
        r"空白|白紙|ぼやけ|ぼけ|不鮮明|判読(?:でき|不)|読み取れ|暗すぎ|小さすぎ|解像度が低|低解像度|画質が|破損|鮮明で",
        r"(?:文字|テキスト|文章|内容)[はがも].{0,12}(?:ありません|ない|見当たり|含まれて(?:いません|おりません)|検出されません|見つかりません|確認できません|存在しません)",
        r"ai(?:アシスタント|モデル|として|です|なので)|人工知能|言語モデル",
    ),
    "ko": _Phrases(
        r"죄송|미안|유감|안타깝|양해",
        r"수\s?없|못\s?(?:합니다|했|하)|불가능|않습니다|없습니다|어렵|할\s?수가\s?없|없어요|못해|않아",
        r"읽|전사|추출|인식|판독|확인|볼|보이|도와|도움|처리|접근|해독|식별|분석|열\s?수|제공|포함|알아",
        r"이미지|사진|그림|스캔|문서|페이지|파일|텍스트|글자|손글씨|필기|내용|요청|글씨",
        r"비어|빈\s|공백|흐릿|흐려|흐리|판독이? 불가|어두워|너무 (?:작|어둡|흐)|해상도가? ?(?:너무 )?낮|저해상도|손상|선명하지",
        r"(?:텍스트|글자|내용|글씨|문자)[가이는은도]?\s?(?:\S+\s){0,2}(?:없|보이지 않|포함되어 있지 않|찾을 수 없|감지되지)",
        r"ai\s?(?:모델|어시스턴트|로서|언어)|인공지능|언어\s?모델",
    ),
    "ar": _Phrases(
        r"آسف|أعتذر|اعتذر|عذر|للأسف|معذرة|نأسف|المعذرة|اسف",
        r"لا\s(?:أستطيع|استطيع|يمكنني|يمكن|أقدر|أرى|ارى|يوجد|توجد|يحتوي|تحتوي)|لم\s(?:أتمكن|اتمكن|أستطع|يتم)|غير\s(?:قادر|ممكن|قادرة)|لست\sقادر|يتعذر|تعذر|ليس\sبإمكاني|مستحيل|عاجز",
        r"قراءة|أقرأ|اقرأ|نسخ|استخراج|رؤية|أرى|ارى|مساعد|التعرف|عرض|فتح|معالجة|الوصول|تحليل|تمييز|تقديم|تفريغ|تحتوي|يحتوي|تنفيذ",
        r"الصور|صور|المستند|وثيق|الصفح|صفح|الملف|ملف|النص|نص|المحتوى|محتوى|خط|طلبك|الطلب|هذا",
        r"فارغ|ضبابي|غير\s(?:واضح|مقروء)|غامق|مظلم|صغيرة?\sجدا|منخفض|تالف|مشوش|بيضاء",
        r"(?:لا\s(?:يوجد|توجد|أرى|ارى|يحتوي|تحتوي)|بدون|أي)\s(?:\S+\s){0,3}(?:نص|نصوص|كتاب|محتوى|كلمات)",
        r"ذكاء\sاصطناعي|الذكاء\sالاصطناعي|نموذج\sلغ",
    ),
    "he": _Phrases(
        r"מצטער|סליחה|לצערי|מתנצל",
        r"לא\s(?:יכול|ניתן|מסוגל|הצלחתי|רואה|אפשר)|אין\s|בלתי\sאפשרי",
        r"לקרוא|לתמלל|לראות|לעזור|לזהות|לחלץ|לגשת|לפענח|לסייע|לעבד|רואה",
        r"תמונ|מסמך|דף|עמוד|קובץ|טקסט|כתב|תוכן|בקש|סריק",
        r"ריק|מטושטש|לא\sקריא|כהה\sמדי|קטן\sמדי|פגום",
        r"(?:אין|ללא)\s(?:\S+\s){0,2}(?:טקסט|תוכן|כתב)",
        r"בינה\sמלאכותית|מודל\sשפה",
    ),
    "el": _Phrases(
        r"λυπάμαι|συγγνώμη|δυστυχώς|ζητώ συγ",
        r"δεν (?:μπορώ|είναι|μπόρεσα|βλέπω|υπάρχει|περιέχει|είμαι)|αδύνατ|αδυνατώ|κανένα",
        r"διαβάσ|μεταγρ|αναγνωρ|εξάγ|εξαγ|βοηθήσ|βλέπω|επεξεργ|ανοίξ|αποκρυπτ|περιέχει",
        r"εικόν|φωτογραφ|έγγραφ|σελίδ|αρχεί|κείμεν|γραφ|περιεχόμεν|αίτημα|σάρωσ",
        r"κεν[ήό]|θολ|δυσανάγνωσ|μη αναγνώσ|σκοτειν|χαμηλή|κατεστραμμ",
        r"(?:δεν υπάρχει|κανένα|χωρίς|δεν περιέχει)(?: \w+){0,2} κείμεν",
        r"τεχνητή νοημοσύνη|γλωσσικό μοντέλο",
    ),
    "hi": _Phrases(
        r"क्षमा|माफ|खेद|दुर्भाग्य|सॉरी",
        r"नहीं|असमर्थ|अक्षम|असंभव",
        r"पढ़|देख|निकाल|पहचान|मदद|सहायता|प्रतिलेख|ट्रांस|खोल|समझ|संसाधित",
        r"छवि|चित्र|तस्वीर|दस्तावेज|पृष्ठ|फ़ाइल|फाइल|पाठ|टेक्स्ट|लेख|सामग्री|अनुरोध|इमेज|फोटो",
        r"खाली|धुंधल|अपठनीय|अस्पष्ट|बहुत छोट|अंधेर",
        r"कोई (?:\S+ ){0,2}(?:पाठ|टेक्स्ट|लेख|सामग्री)(?: \S+){0,3} नहीं",
        r"एआई|कृत्रिम बुद्धि|भाषा मॉडल",
    ),
    "ro": _Phrases(
        r"\bîmi pare rău\b|\bne pare rău\b|\bscuz|\bdin păcate\b|\bregret\b",
        r"\bnu (?:pot|poate|putem|sunt|este posibil|am putut|reușesc|văd|există|conține|se)\b|\bimposibil|\bincapabil|\bniciun",
        r"\bciti\b|\bcitesc\b|transcri|\bextrag|\bvăd\b|\bvedea\b|\bajuta\b|\bdescifr|\brecuno[aș]|\bidentific|\bproces|\baccesa\b|\banaliz|\bdeschide\b|\bconține\b|\boferi\b",
        r"\bimagin|\bfoto|\bscanar|\bdocument|\bpagin|\bfișier|\btext|\bscris|\bconținut|\bcerere",
        r"\bgo(?:l|ală)\b|\bneclar|\bilizibil|\bîncețoșat|\bprea (?:întunecat|mic|neclar|slab)|\bcalitate(?:a)? (?:slabă|scăzută)|\brezoluți\w+ (?:mică|slabă|scăzută)",
        r"\b(?:niciun|nu există|fără|nu conține|nu se (?:vede|observă))(?: \w+){0,2} (?:text|conținut|scris|cuvinte)\b",
        r"\bmodel (?:de limbaj|lingvistic)|\binteligenț\w+ artificial|\bca (?:asistent|model) (?:ia|ai)\b",
    ),
    "hu": _Phrases(
        r"\bsajnál|\bsajnos\b|\belnézést\b|\bbocsán",
        r"\bnem (?:tud|vagyok képes|lehet|sikerült|látok|látható|tartalmaz|áll)|\bképtelen\b|\blehetetlen\b|\bnincs\b",
        r"olvas|\bátír|\bsegít|felismer|\bkinyer|\blátok\b|\bfeldolgoz|\bmegnyit|\bmegfejt|\bazonosít|\btartalmaz|\belemez|\bteljesít",
        r"\bkép|\bfotó|\bfénykép|\bszken|\bdokumentum|\boldal|\bfájl|\bszöveg|\bkézírás|\btartalm|\bkérés",
        r"\büres|\bhomályos|\bolvashatatlan|\béletlen|\btúl (?:sötét|kicsi|homályos|halvány)|\bnem olvasható|\bgyenge minőség|\balacsony felbontás",
        r"\b(?:nincs|nem (?:található|tartalmaz|látható))(?: \w+){0,2} szöveg\w*|\bszöveg\w* (?:nem (?:található|látható)|nincs)",
        r"\bnyelvi modell|\bmesterséges intelligenci",
    ),
    "fi": _Phrases(
        r"\bvalitettavasti\b|\banteeksi\b|\bpahoitt|\bolen pahoillani\b",
        r"\ben (?:\w+ )?(?:pysty|voi|osaa|kykene|onnistu|näe|saa)|\bei (?:ole |voi|pysty|näy|sisällä|onnistu)|\bmahdoton",
        r"\bluke|\blukea\b|\btranskrib|\blitteroi|\bauttaa\b|\btunnista|\bnähdä\b|\bnäe\b|\bkäsitel|\bavata\b|\bpoimi|\bsisällä|\btulkit|\bsaa selvää\b|\banalysoi",
        r"\bkuva|\bkuvassa|\bvalokuva|\bskannau|\basiakirja|\bsivu|\btiedosto|\bteksti|\bkäsiala|\bsisältö|\bpyyntö|\bdokument",
        r"\btyhjä|\bepäselvä|\blukukelvoton|\bsumea|\bliian (?:tumma|pieni|epäselvä|sumea|haalea)|\bei ole luettavi|\bheikkolaatui|\bhuono laatu",
        r"\bei (?:ole |näy |sisällä |löydy )(?:\w+ ){0,2}tekstiä\b|\btekstiä ei\b",
        r"\bkielimalli|\btekoäly",
    ),
    "vi": _Phrases(
        r"\bxin lỗi\b|\brất tiếc\b|\btiếc là\b|\bthành thật xin\b",
        r"\bkhông (?:thể|có khả năng|có|chứa|nhìn|đọc được|được)\b|\bchưa thể\b",
        r"\bđọc\b|\bphiên âm\b|\bchép\b|\btrích xuất\b|\bnhận (?:dạng|diện|ra)\b|\bxem\b|\bgiúp\b|\bhỗ trợ\b|\bxử lý\b|\btruy cập\b|\bmở\b|\bthấy\b|\bchứa\b",
        r"\bhình\b|\bảnh\b|\btài liệu\b|\btrang\b|\btệp\b|\bvăn bản\b|\bchữ\b|\bnội dung\b|\byêu cầu\b|\bbản quét\b",
        r"\btrống\b|\bmờ\b|\bkhông rõ\b|\bquá (?:tối|nhỏ|mờ)\b|\bkhông đọc được\b|\b(?:chất lượng|độ phân giải) (?:quá )?(?:thấp|kém)\b",
        r"\bkhông (?:có|chứa|tìm thấy|thấy)(?: \w+){0,2} (?:văn bản|chữ|nội dung)\b",
        r"\bmô hình ngôn ngữ\b|\btrí tuệ nhân tạo\b|\btrợ lý ai\b",
    ),
    "id": _Phrases(
        r"\bmaaf\b|\bmohon maaf\b|\bsayangnya\b|\bmenyesal\b|\bharap maaf\b",
        r"\btidak (?:dapat|bisa|mampu|mungkin|boleh|ada|melihat|mengandung|memuat|terdapat)\b|\bmustahil\b|\bgagal\b",
        r"\bmembaca|\bbaca\b|transkrip|\bmenyalin\b|\bmelihat\b|\bmembantu|\bmengenal|\bmengekstrak|\bmemproses|\bmengakses|\bmembuka|\bmengidentifikasi|\bmenganalisis|\bmengandung\b",
        r"\bgambar|\bimej|\bfoto|\bpindaian|\bdokumen|\bhalaman|\bberkas|\bfail\b|\bteks\b|\btulisan|\bisi\b|\bkandungan\b|\bpermintaan",
        r"\bkosong\b|\bburam\b|\bkabur\b|\btidak (?:terbaca|jelas|terlihat)|\bterlalu (?:gelap|kecil|buram|kabur)|\bkualitas (?:yang )?(?:rendah|buruk)|\bresolusi (?:\w+ )?rendah",
        r"\btidak (?:ada|terdapat|mengandung|memuat|menemukan)(?: \w+){0,2} (?:teks|tulisan|kata|isi)\b",
        r"\bmodel bahasa\b|\bkecerdasan buatan\b|\basisten ai\b",
    ),
    "th": _Phrases(
        r"ขออภัย|ขอโทษ|เสียใจ|น่าเสียดาย",
        r"ไม่สามารถ|ไม่ได้|ไม่อาจ|ไม่มี|ไม่พบ|ไม่เห็น",
        r"อ่าน|ถอดความ|ถอดข้อความ|มองเห็น|ดู|ช่วย|จดจำ|ระบุ|ดึง|ประมวลผล|เข้าถึง|เปิด|วิเคราะห์|แปลง",
        r"ภาพ|รูป|เอกสาร|หน้า|ไฟล์|ข้อความ|ลายมือ|เนื้อหา|คำขอ|ตัวอักษร",
        r"ว่างเปล่า|เบลอ|ไม่ชัด|อ่านไม่ออก|มืดเกินไป|เล็กเกินไป|ความละเอียดต่ำ|คุณภาพต่ำ",
        r"ไม่(?:มี|พบ|เห็น|ปรากฏ)(?:ข้อความ|ตัวอักษร|เนื้อหา)",
        r"ปัญญาประดิษฐ์|โมเดลภาษา|แบบจำลองภาษา",
    ),
}


class _Patterns(NamedTuple):
    """The compiled components of one language, as in `_Phrases`."""

    apology: re.Pattern[str]
    inability: re.Pattern[str]
    reading: re.Pattern[str]
    image: re.Pattern[str]
    unreadable: re.Pattern[str]
    no_text: re.Pattern[str]
    machine: re.Pattern[str]


def is_refusal(text: str) -> bool:
    """Return True if a short text has the components of a refusal in any language.

    >>> is_refusal("I'm sorry, but I can't read the text in this image.")
    True
    >>> is_refusal("I am sorry to hear that your mother is unwell.")
    False
    """
    text = _normalised(text)
    if not text or len(text) > _MOST_CHARACTERS:
        return False
    return any(_refuses(text, patterns) for patterns in _patterns())


def _refuses(text: str, patterns: _Patterns) -> bool:
    """Return True if a text refuses in one language.

    An apology counts for all sentences; other components must be in one sentence.
    """
    apology, short = bool(patterns.apology.search(text)), len(text) <= _FEW_CHARACTERS
    if apology and short and patterns.inability.search(text):
        return True
    for sentence in _SENTENCE_END.split(text):
        inability, reading, image, unreadable, no_text, machine = (
            bool(pattern.search(sentence)) for pattern in patterns[1:]
        )
        if (
            (machine and (apology or inability or image))
            or (inability and reading and (apology or image))
            or (image and unreadable and (short or inability or apology))
            or (no_text and (short or apology or inability))
        ):
            return True
    return False


def _normalised(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_APOSTROPHES)
    return " ".join(folded.split())


@cache
def _patterns() -> tuple[_Patterns, ...]:
    return tuple(
        _Patterns(*(re.compile(unicodedata.normalize("NFKC", part)) for part in phrases))
        for phrases in _LANGUAGES.values()
    )
